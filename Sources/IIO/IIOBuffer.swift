// SPDX-License-Identifier: Apache-2.0

import CLinux

/// An enabled buffer of a device.
///
/// This is done by hand where libiio has iio_device_create_buffer, for two reasons. libiio 0.24 writes 0 to
/// buffer/enable before it finds out that another program holds the device, which stops that program's samples; and it
/// writes "WARNING: High-speed mode not enabled" to standard error, hence to the journal, at each opening.
///
/// Destroying it disables buffer and channels, so that the sensor powers down. For that it keeps their files' names and
/// not the libiio context, which has a copy of every attribute of every device.
@usableFromInline  // for its deinit, as AttributeFile
struct IIOBuffer: ~Copyable {
  private let node: DeviceNode
  private let switches: BufferSwitches

  /// The kernel's buffer holds this many blocks, so that a program that was held up, or waits while the tablet is at rest,
  /// loses no samples soon.
  static let blocksInKernel = 8

  /// Readable when a block of samples is there; reading never waits.
  var fileDescriptor: CInt { node.descriptor }

  /// Enables the buffer of a device for some channels, and these only.
  ///
  /// - Parameters:
  ///   - device: a device of this machine.
  ///   - channels: the channels that each scan is to hold.
  ///   - blockLength: how many scans make the descriptor readable.
  /// - Throws: ``SourceError``: `noBuffer` where the kernel refuses without a trigger, `busy` where another program
  ///   holds the device, `permissionDenied`, `vanished`.
  init(
    of device: IIODevice, channels: [IIOChannel], blockLength: Int
  ) throws(SourceError) {
    // The node goes first: the kernel lets one program at a time open it, and what that one set up must stay.
    let node = try DeviceNode(of: device)
    let switches = BufferSwitches(of: device)
    do throws(SourceError) {
      // Left enabled by a program that is no more, it would refuse every change.
      try device.setBuffer("enable", to: 0)
      // Those that an earlier program left on go first: some drivers refuse a channel beside them.
      for isWanted in [false, true] {
        for channel in device.scanElements
        where channels.contains(where: { $0.id == channel.id }) == isWanted {
          try setSwitch(channel.switchPath, on: isWanted)
        }
      }
      try device.setBuffer("length", to: blockLength * Self.blocksInKernel)
      // Kernels before 4.2 have no watermark: there each sample makes the descriptor readable.
      _ = device.write("\(blockLength)", toBuffer: "watermark")
      try device.setBuffer("enable", to: 1)
    } catch {
      switches.turnOff()
      throw error
    }
    self.node = node
    self.switches = switches
  }

  deinit { switches.turnOff() }
}

/// The files in sysfs that turn a device's buffer and the channels of its scans on and off.
@usableFromInline  // for the deinit of IIOBuffer
struct BufferSwitches {
  private let buffer: String
  private let channels: [String]

  init(of device: IIODevice) {
    buffer = "\(device.directory)/buffer/enable"
    channels = device.scanElements.map { $0.switchPath }
  }

  /// Turns all of them off; what fails here fails because the device is gone.
  func turnOff() {
    try? setSwitch(buffer, on: false)
    for channel in channels { try? setSwitch(channel, on: false) }
  }
}

/// The descriptor of a device's node in /dev.
@usableFromInline  // for its deinit, as AttributeFile
struct DeviceNode: ~Copyable {
  let descriptor: CInt

  init(of device: IIODevice) throws(SourceError) {
    let path = "/dev/\(device.id)"
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor < 0 else { return }
    switch errno {
    case ENOENT: throw .noBuffer(device: device.displayName, reason: "there is no \(path)")
    case EACCES, EPERM: throw .permissionDenied(path: path)
    case EBUSY: throw .busy(device: device.displayName, holder: holder(of: path))
    case let code: throw SourceError(code: code, subject: device.displayName, operation: "opening")
    }
  }

  deinit { close(descriptor) }
}

extension IIODevice {
  /// The name and the id, as errors name the device.
  var displayName: String { name.map { "\($0) (\(id))" } ?? id }

  fileprivate func setBuffer(_ attribute: String, to value: Int) throws(SourceError) {
    switch write("\(value)", toBuffer: attribute) {
    case 0: return
    case EINVAL:
      throw .noBuffer(
        device: displayName, reason: "the driver does not enable its buffer, for want of a trigger")
    case ENOENT, ENOSYS: throw .noBuffer(device: displayName, reason: "there is no buffer/\(attribute)")
    case EACCES, EPERM: throw .permissionDenied(path: "\(directory)/buffer/\(attribute)")
    case let code:
      throw SourceError(code: code, subject: displayName, operation: "setting buffer/\(attribute) of")
    }
  }
}

extension IIOChannel {
  /// The file that makes the channel a part of each scan.
  fileprivate var switchPath: String { scanFile("en") }
}

private func setSwitch(_ path: String, on: Bool) throws(SourceError) {
  let code = writeAttribute(path, on ? "1" : "0")
  guard code == 0 else { throw SourceError(code: code, subject: path, operation: "writing") }
}
