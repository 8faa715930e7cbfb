// SPDX-License-Identifier: Apache-2.0

import CIIO
import CLinux
import Orientation

/// A libiio context of other devices than the kernel's of this machine: those of another machine that runs iiod, behind a network, USB or a
/// serial line.
public struct RemoteContext: ~Copyable {
  /// How long one read may take, in milliseconds.
  ///
  /// A read cannot be interrupted, and the daemon must end within a second of SIGTERM: this is half of that.
  package static let timeoutMilliseconds = 500

  /// How long it may take to connect and to read all properties of a sensor, in milliseconds: libiio's own limit.
  package static let openingTimeoutMilliseconds = 5000

  /// What the devices are reached by.
  let address: IIOAddress
  private let context: OpaquePointer
  /// The deadline for all answers.
  private let answersDue: BootTime

  /// Connects.
  ///
  /// - Parameters:
  ///   - address: the URI of the context.
  ///   - timeoutMilliseconds: how long each later operation may take. libiio itself limits the time to connect (5 s).
  /// - Returns: the connected context.
  /// - Throws: ``SourceError/unreachable(host:reason:)``
  package static func open(_ address: IIOAddress, timeoutMilliseconds: Int) throws(SourceError)
    -> RemoteContext
  {
    let answersDue = BootTime.now.advanced(bySeconds: Double(timeoutMilliseconds) / 1000)
    if let reason = Libiio.shared.retain() {
      throw .unreachable(host: "\(address)", reason: "libiio cannot be loaded: \(reason)")
    }
    guard let context = Libiio.functions.create_context_from_uri(address.uri) else {
      let code = errno
      Libiio.shared.release()
      throw .unreachable(host: "\(address)", reason: connectionFailure(code))
    }
    let remote = RemoteContext(address: address, context: context, answersDue: answersDue)
    try remote.setTimeout(milliseconds: timeoutMilliseconds)
    return remote
  }

  deinit {
    Libiio.functions.context_destroy(context)
    Libiio.shared.release()
  }

  /// Describes the devices, with what the files of accelerometers hold that do not change, and perhaps their frequency.
  package func machine(from source: DescriptionSource) -> IIOMachine {
    IIOMachine(
      devices: IIODevice.all(in: context, at: "remote").map { device in
        var device = device
        device.remoteTexts = texts(of: device, from: source)
        return device
      })
  }

  private func texts(of device: IIODevice, from source: DescriptionSource) -> [IIODevice.RemoteText] {
    var needed = ["location"]
    let attributes = ["scale", "offset", "mount_matrix", "sampling_frequency_available"]
    for channel in device.axes(measuring: device.accelerometer ?? .acceleration) ?? [] {
      needed += attributes.compactMap { channel.file(of: $0) }
      if case .kernelAndSensors = source, let file = channel.file(of: "sampling_frequency") {
        needed.append(file)
      }
    }
    var texts: [IIODevice.RemoteText] = []
    for attribute in self.attributes(of: device) where needed.contains(attribute.file) {
      guard !texts.contains(where: { $0.file == attribute.file }),
        let text = (try? readText(path: attribute.file, by: attribute.read)) ?? nil
      else { continue }
      texts.append(IIODevice.RemoteText(file: attribute.file, text: text))
    }
    return texts
  }

  /// The attributes of a device; none if it is not there any more.
  func attributes(of device: IIODevice) -> [LibiioAttribute] {
    Libiio.functions.context_find_device(context, device.id).map { LibiioAttribute.all(of: $0) } ?? []
  }

  /// Checks that each answer until now belongs to its question.
  ///
  /// If an answer is late, libiio continues, and uses it as the answer to its next question: then a label is taken for a matrix, or the
  /// scale of one axis for that of another. If all answers came within the time that one may take, none was late.
  ///
  /// - Throws: ``SourceError/unreachable(host:reason:)``
  package func checkAnswers() throws(SourceError) {
    guard BootTime.now < answersDue else { throw late }
  }

  /// Sets how long each later operation may take.
  ///
  /// - Throws: ``SourceError/unreachable(host:reason:)`` if the other side does not confirm this in time.
  func setTimeout(milliseconds: Int) throws(SourceError) {
    let code = Libiio.functions.context_set_timeout(context, CUnsignedInt(clamping: milliseconds))
    // A context that is no connection has no time limit.
    guard code != -ENOSYS else {
      throw .unreachable(host: "\(address)", reason: connectionFailure(ENOSYS))
    }
    guard code >= 0 else { throw late }
  }

  private var late: SourceError { .unreachable(host: "\(address)", reason: "it does not answer in time") }
}

/// Why libiio cannot create a context, in words.
private func connectionFailure(_ code: CInt) -> String {
  switch code {
  // libiio asks Avahi for the name after all other ways to resolve it have failed.
  case ENXIO: "no machine of this name is known"
  case EPIPE, ECONNRESET, EIO: "the program that listens there does not answer"
  case ENOENT: "no such host or port"
  case ENOSYS: "libiio has no connection for such a URI"
  case EAFNOSUPPORT:
    "RestrictAddressFamilies= of the service does not allow network connections (see orientationd.conf(5))"
  case let code: String(cString: strerror(code))
  }
}
