// SPDX-License-Identifier: Apache-2.0

import CIIO
import CLinux

/// A libiio context: the IIO devices of this machine, or those of another one, as they were when it was made.
///
/// libiio announces no hotplug: a device that comes later is in later contexts only.
public struct IIOContext: ~Copyable {
  /// Where the devices of a context are.
  public enum Location: Equatable, Sendable {
    /// In this machine, reached through sysfs.
    case local
    /// In another machine that runs iiod, reached through TCP.
    case network(host: String)
  }

  /// Where kernels show their IIO devices.
  static let devicesDirectory = "/sys/bus/iio/devices"

  /// Where the devices are.
  public let location: Location
  private let context: OpaquePointer

  /// The devices of this machine; nil where the kernel has no IIO, which is the same as no device.
  ///
  /// - Throws: ``SourceError`` when sysfs cannot be read.
  public static func local() throws(SourceError) -> IIOContext? {
    guard access(devicesDirectory, F_OK) == 0 else { return nil }
    guard let context = iio_create_local_context() else {
      let code = errno
      // libiio says so where IIO is there and has no device.
      if code == ENOENT || code == ENODEV || code == ENOSYS { return nil }
      throw SourceError(code: code, subject: devicesDirectory, operation: "reading")
    }
    return IIOContext(location: .local, context: context)
  }

  /// The devices of a machine that runs iiod.
  ///
  /// - Parameters:
  ///   - host: a host name or address, as in libiio's `ip:HOST`.
  ///   - timeoutMilliseconds: how long each later operation may take. Connecting itself is bounded by libiio (5 s).
  /// - Returns: the context, connected.
  /// - Throws: ``SourceError/unreachable(host:reason:)`` when there is no iiod to talk to.
  public static func network(host: String, timeoutMilliseconds: Int) throws(SourceError) -> IIOContext {
    guard let context = iio_create_network_context(host) else {
      throw .unreachable(host: host, reason: connectionFailure(errno))
    }
    _ = iio_context_set_timeout(context, CUnsignedInt(clamping: timeoutMilliseconds))
    return IIOContext(location: .network(host: host), context: context)
  }

  /// Makes sure that the answers of a network context so far were those to its questions.
  ///
  /// libiio goes on after an answer that was late, and takes it for the answer to its next question: what it says of a sensor
  /// from then on, such as a scale, is wrong. One more question brings it to light.
  ///
  /// - Throws: ``SourceError/unreachable(host:reason:)``
  public func checkAnswers(of host: String) throws(SourceError) {
    var (major, minor): (CUnsignedInt, CUnsignedInt) = (0, 0)
    // "%u.%u.%7c" in libiio: no other answer of iiod's has this form.
    var tag = (CChar(0), CChar(0), CChar(0), CChar(0), CChar(0), CChar(0), CChar(0), CChar(0))
    let result = withUnsafeMutableBytes(of: &tag) { tag in
      iio_context_get_version(context, &major, &minor, tag.assumingMemoryBound(to: CChar.self).baseAddress)
    }
    guard result == 0 else { throw .unreachable(host: host, reason: "it does not answer in time") }
  }

  private init(location: Location, context: OpaquePointer) {
    self.location = location
    self.context = context
  }

  deinit { iio_context_destroy(context) }

  /// Every device, triggers included.
  var devices: [IIODevice] {
    (0..<iio_context_get_devices_count(context)).compactMap { index in
      iio_context_get_device(context, index).map(IIODevice.init)
    }
  }

  /// The device whose id, such as `iio:device0`, or name this is.
  func device(_ idOrName: String) -> IIODevice? {
    iio_context_find_device(context, idOrName).map(IIODevice.init)
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
