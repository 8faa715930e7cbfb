// SPDX-License-Identifier: Apache-2.0

import CIIO
import CLinux
import Orientation

/// A libiio context: the IIO devices of this machine, or of another one, at the time when the context was created.
///
/// libiio does not report hotplug: a device that is added later is only in later contexts. If libiio refuses the machine,
/// the context reads sysfs itself.
public struct IIOContext: ~Copyable {
  /// The location of a context's devices.
  public enum Location: Equatable, Sendable {
    /// In this machine, reached through sysfs.
    case local
    /// In another machine that runs iiod, reached through TCP.
    case network(host: String)
  }

  /// What describes the devices.
  private enum Backing {
    case libiio(OpaquePointer)
    /// The content of a folder of sysfs, and why libiio is not used.
    case sysfs(String, LibiioFailure.Cause)
  }

  /// The folder in which the kernel shows its IIO devices.
  static let devicesDirectory = "/sys/bus/iio/devices"

  /// The location of the devices.
  public let location: Location
  private let backing: Backing
  /// The deadline for all answers, in a network context.
  private let answersDue: BootTime?

  /// The devices of this machine; nil if the kernel has no IIO or there is no device.
  ///
  /// - Throws: ``SourceError`` if sysfs cannot be read.
  public static func local() throws(SourceError) -> IIOContext? {
    guard access(devicesDirectory, F_OK) == 0, hasLocalDevice else { return nil }
    if let reason = Libiio.shared.retain() {
      return IIOContext(location: .local, backing: .sysfs(devicesDirectory, .notLoaded(reason)))
    }
    var keepsLibrary = false
    defer { if !keepsLibrary { Libiio.shared.release() } }
    var code: CInt = 0
    for _ in 0..<attempts {
      if let context = Libiio.functions.create_local_context() {
        if hasAllLocalDevices(context) {
          keepsLibrary = true
          return IIOContext(location: .local, backing: .libiio(context))
        }
        // If a device goes away while libiio 0.26 reads it, the context has only those before it, and no error is reported.
        Libiio.functions.context_destroy(context)
        code = ENODEV
      } else {
        code = errno
      }
      // libiio returns these codes if IIO is available but has no device, and also if a device goes away while libiio reads
      // it.
      guard code == ENOENT || code == ENODEV || code == ENOSYS else { break }
      guard hasLocalDevice else { return nil }
      usleep(pauseMicroseconds)
    }
    // A device that libiio does not understand is no reason to ignore the others.
    guard SysfsDevice.all(in: devicesDirectory) != nil else {
      throw SourceError(code: code, subject: devicesDirectory, operation: "reading")
    }
    return IIOContext(location: .local, backing: .sysfs(devicesDirectory, .refused(code)))
  }

  /// The devices in a folder with the kernel's layout, without libiio: for the devices that a fuzzer creates.
  static func folder(_ devicesDirectory: String) -> IIOContext {
    IIOContext(location: .local, backing: .sysfs(devicesDirectory, .refused(EINVAL)))
  }

  /// Why libiio is not used for this machine; nil if it is.
  public var refusal: LibiioFailure? {
    guard case .sysfs(_, let cause) = backing else { return nil }
    return LibiioFailure(cause)
  }

  /// The attempts to read devices that come and go, and the pause between them: half a second together.
  private static let attempts = 25
  private static let pauseMicroseconds: UInt32 = 20_000

  /// Whether the kernel has any IIO device or trigger; true if that cannot be found out, which is then reported.
  private static var hasLocalDevice: Bool {
    allLocalDevices { _ in false } != true
  }

  /// Whether a context has all devices that the kernel has now.
  private static func hasAllLocalDevices(_ context: OpaquePointer) -> Bool {
    allLocalDevices { name in
      strncmp(name, "iio:device", 10) != 0 || Libiio.functions.context_find_device(context, name) != nil
    } == true
  }

  /// Whether all IIO devices and triggers of the kernel fulfil a condition; nil if they cannot be listed.
  private static func allLocalDevices(_ condition: (UnsafePointer<CChar>) -> Bool) -> Bool? {
    guard let directory = opendir(devicesDirectory) else { return nil }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      let isFulfilled = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 256) { name in
          name[0] == CChar(UInt8(ascii: ".")) || condition(name)
        }
      }
      guard isFulfilled else { return false }
    }
    return true
  }

  /// The devices of a machine that runs iiod.
  ///
  /// - Parameters:
  ///   - host: a host name or address, as in libiio's `ip:HOST`.
  ///   - timeoutMilliseconds: how long each later operation may take. libiio itself limits the time to connect (5 s).
  /// - Returns: the connected context.
  /// - Throws: ``SourceError/unreachable(host:reason:)`` if iiod does not answer.
  public static func network(host: String, timeoutMilliseconds: Int) throws(SourceError) -> IIOContext {
    let answersDue = BootTime.now.advanced(bySeconds: Double(timeoutMilliseconds) / 1000)
    if let reason = Libiio.shared.retain() {
      throw .unreachable(host: host, reason: "libiio cannot be loaded: \(reason)")
    }
    guard let pointer = Libiio.functions.create_network_context(host) else {
      defer { Libiio.shared.release() }
      throw .unreachable(host: host, reason: connectionFailure(errno))
    }
    let context = IIOContext(
      location: .network(host: host), backing: .libiio(pointer), answersDue: answersDue)
    try context.setTimeout(milliseconds: timeoutMilliseconds, host: host)
    return context
  }

  /// Checks that each answer of a network context until now belongs to its question.
  ///
  /// If an answer is late, libiio continues, and uses it as the answer to its next question: then a label is taken for a
  /// matrix, or the scale of one axis for that of another. If all answers came within the time that one may take, none was
  /// late.
  ///
  /// - Throws: ``SourceError/unreachable(host:reason:)``
  public func checkAnswers(of host: String) throws(SourceError) {
    guard let answersDue, BootTime.now < answersDue else { throw Self.late(host) }
  }

  /// Sets how long each later operation of a network context may take.
  ///
  /// - Throws: ``SourceError/unreachable(host:reason:)`` if iiod does not confirm this in time.
  func setTimeout(milliseconds: Int, host: String) throws(SourceError) {
    guard case .libiio(let context) = backing,
      Libiio.functions.context_set_timeout(context, CUnsignedInt(clamping: milliseconds)) >= 0
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
    guard case .libiio(let context) = backing else { return }
    Libiio.functions.context_destroy(context)
    Libiio.shared.release()
  }

  /// Every device, triggers included.
  var devices: [IIODevice] {
    switch backing {
    case .libiio(let context):
      (0..<Libiio.functions.context_get_devices_count(context)).compactMap { index in
        Libiio.functions.context_get_device(context, index).map { .libiio($0) }
      }
    case .sysfs(let folder, _): (SysfsDevice.all(in: folder) ?? []).map { .sysfs($0) }
    }
  }

  /// The device with this id, such as `iio:device0`, or with this name.
  func device(_ idOrName: String) -> IIODevice? {
    switch backing {
    case .libiio(let context): Libiio.functions.context_find_device(context, idOrName).map { .libiio($0) }
    case .sysfs: devices.first { $0.id == idOrName } ?? devices.first { $0.name == idOrName }
    }
  }
}

/// Why libiio cannot create a network context, in words.
private func connectionFailure(_ code: CInt) -> String {
  switch code {
  // libiio asks Avahi for the name after all other ways to resolve it have failed.
  case ENXIO: "no machine of this name is known"
  case EPIPE, ECONNRESET, EIO: "the program that listens there does not answer"
  case ENOENT: "no such host or port"
  case EAFNOSUPPORT:
    "RestrictAddressFamilies= of the service does not allow network connections (see orientationd.conf(5))"
  case let code: String(cString: strerror(code))
  }
}
