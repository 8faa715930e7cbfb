// SPDX-License-Identifier: Apache-2.0

import CIIO
import CLinux
import Orientation

/// A libiio context: the IIO devices of this machine, or those of another one, as they were when it was made.
///
/// libiio announces no hotplug: a device that comes later is in later contexts only. Where libiio refuses the machine, the
/// context does without it.
public struct IIOContext: ~Copyable {
  /// Where the devices of a context are.
  public enum Location: Equatable, Sendable {
    /// In this machine, reached through sysfs.
    case local
    /// In another machine that runs iiod, reached through TCP.
    case network(host: String)
  }

  /// Who describes the devices.
  private enum Backing {
    case libiio(OpaquePointer)
    /// What sysfs shows in a folder, as libiio refuses the machine with this errno.
    case sysfs(String, refusal: CInt)
  }

  /// Where kernels show their IIO devices.
  static let devicesDirectory = "/sys/bus/iio/devices"

  /// Where the devices are.
  public let location: Location
  private let backing: Backing
  /// When everything that has been asked must be answered, in a network context.
  private let answersDue: BootTime?

  /// The devices of this machine; nil where the kernel has no IIO, which is the same as no device.
  ///
  /// - Throws: ``SourceError`` when sysfs cannot be read.
  public static func local() throws(SourceError) -> IIOContext? {
    guard access(devicesDirectory, F_OK) == 0 else { return nil }
    var code: CInt = 0
    for _ in 0..<attempts {
      if let context = iio_create_local_context() {
        return IIOContext(location: .local, backing: .libiio(context))
      }
      code = errno
      // libiio says so where IIO is there and has no device; but also where one of several goes while it looks at that one.
      guard code == ENOENT || code == ENODEV || code == ENOSYS else { break }
      guard hasLocalDevice else { return nil }
      usleep(microsecondsOfDeparture)
    }
    // One device that libiio does not understand is no reason to do without the others.
    guard SysfsDevice.all(in: devicesDirectory) != nil else {
      throw SourceError(code: code, subject: devicesDirectory, operation: "reading")
    }
    return IIOContext(location: .local, backing: .sysfs(devicesDirectory, refusal: code))
  }

  /// The devices that a folder like the kernel's describes, without libiio: those that a fuzzer makes up.
  static func folder(_ devicesDirectory: String) -> IIOContext {
    IIOContext(location: .local, backing: .sysfs(devicesDirectory, refusal: EINVAL))
  }

  /// Why libiio refuses this machine; nil where it does not.
  public var refusal: LibiioFailure? {
    guard case .sysfs(_, let code) = backing else { return nil }
    return LibiioFailure(code: code)
  }

  /// How often, and with what pauses, devices that come and go are looked at until they let themselves be seen: for half a second.
  private static let attempts = 25
  private static let microsecondsOfDeparture: UInt32 = 20_000

  /// Whether the kernel shows any IIO device or trigger.
  private static var hasLocalDevice: Bool {
    guard let directory = opendir(devicesDirectory) else { return false }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      if entry.pointee.d_name.0 != CChar(UInt8(ascii: ".")) { return true }
    }
    return false
  }

  /// The devices of a machine that runs iiod.
  ///
  /// - Parameters:
  ///   - host: a host name or address, as in libiio's `ip:HOST`.
  ///   - timeoutMilliseconds: how long each later operation may take. Connecting itself is bounded by libiio (5 s).
  /// - Returns: the context, connected.
  /// - Throws: ``SourceError/unreachable(host:reason:)`` when there is no iiod to talk to.
  public static func network(host: String, timeoutMilliseconds: Int) throws(SourceError) -> IIOContext {
    let answersDue = BootTime.now.advanced(bySeconds: Double(timeoutMilliseconds) / 1000)
    guard let pointer = iio_create_network_context(host) else {
      throw .unreachable(host: host, reason: connectionFailure(errno))
    }
    let context = IIOContext(
      location: .network(host: host), backing: .libiio(pointer), answersDue: answersDue)
    try context.setTimeout(milliseconds: timeoutMilliseconds, host: host)
    return context
  }

  /// Makes sure that each answer of a network context so far was the one to its question.
  ///
  /// libiio goes on after an answer that was late, and takes it for the answer to its next question: a matrix that is a label,
  /// and a scale that is another axis's. None was late where all of them came within the time that one may take.
  ///
  /// - Throws: ``SourceError/unreachable(host:reason:)``
  public func checkAnswers(of host: String) throws(SourceError) {
    guard let answersDue, BootTime.now < answersDue else { throw Self.late(host) }
  }

  /// Sets how long each later operation of a network context may take.
  ///
  /// - Throws: ``SourceError/unreachable(host:reason:)``, when iiod does not agree in this time.
  func setTimeout(milliseconds: Int, host: String) throws(SourceError) {
    guard case .libiio(let context) = backing,
      iio_context_set_timeout(context, CUnsignedInt(clamping: milliseconds)) >= 0
    else { throw Self.late(host) }
  }

  private static func late(_ host: String) -> SourceError {
    .unreachable(host: host, reason: "it does not answer in time")
  }

  private init(location: Location, backing: Backing, answersDue: BootTime? = nil) {
    self.location = location
    self.answersDue = answersDue
    self.backing = backing
  }

  deinit {
    if case .libiio(let context) = backing { iio_context_destroy(context) }
  }

  /// Every device, triggers included.
  var devices: [IIODevice] {
    switch backing {
    case .libiio(let context):
      (0..<iio_context_get_devices_count(context)).compactMap { index in
        iio_context_get_device(context, index).map { .libiio($0) }
      }
    case .sysfs(let folder, _): (SysfsDevice.all(in: folder) ?? []).map { .sysfs($0) }
    }
  }

  /// The device whose id, such as `iio:device0`, or name this is.
  func device(_ idOrName: String) -> IIODevice? {
    switch backing {
    case .libiio(let context): iio_context_find_device(context, idOrName).map { .libiio($0) }
    case .sysfs: devices.first { $0.id == idOrName } ?? devices.first { $0.name == idOrName }
    }
  }
}

/// Why libiio did not come to a network context, in words.
private func connectionFailure(_ code: CInt) -> String {
  switch code {
  // Of the name, after all other ways to look it up, libiio asks Avahi.
  case ENXIO: "no machine of this name is known"
  case EPIPE, ECONNRESET, EIO: "who listens there does not answer"
  case ENOENT: "no such host and port"
  case EAFNOSUPPORT:
    "RestrictAddressFamilies= of the service keeps it from the network (see orientationd.conf(5))"
  case let code: String(cString: strerror(code))
  }
}
