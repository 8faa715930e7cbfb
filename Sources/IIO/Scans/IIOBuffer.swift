// SPDX-License-Identifier: Apache-2.0

// This folder: samples through the kernel's buffer, in blocks of scans, each of which is the enabled channels at one
// instant. A buffer belongs to one program: BufferUse says to whom. BufferSetup and IIOBuffer set it up; ScanLayout,
// ScanFormat and ScanDecoder make numbers of the bytes.

import CLinux

/// The right to set up a device's buffer: nobody has it on, and its node is open here.
@usableFromInline  // for its deinit, as AttributeFile
struct BufferClaim: ~Copyable {
  fileprivate let node: DeviceNode

  /// Claims a buffer before anything is set.
  ///
  /// - Parameters:
  ///   - device: a device of this machine.
  ///   - neighbour: who may have left the buffer on.
  /// - Throws: ``SourceError``: `busy` where somebody else has it; `noBuffer`, `permissionDenied`, `vanished`.
  init(of device: IIODevice, beside neighbour: Neighbour?) throws(SourceError) {
    guard !device.isBufferOn || !device.isBufferTaken(beside: neighbour) else { throw device.bufferIsTaken }
    let node = try DeviceNode(of: device)
    // Enabled meanwhile, or left so by a program that is no more.
    if device.isBufferOn {
      guard neighbour?.isThere == false else { throw device.bufferIsTaken }
      try device.check(writeAttribute("\(device.directory)/\(OwnSettings.enable)", "0"), of: "enable")
    }
    self.node = node
  }
}

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
  private let device: String
  private let settings: OwnSettings
  private let node: DeviceNode
  private let watch: BufferWatch

  /// The kernel's buffer holds this many blocks, so that a program that was held up, or waits while the tablet is at rest,
  /// loses no samples soon.
  static let blocksInKernel = 8

  /// Readable when a block of samples is there, or somebody else takes the buffer; reading never waits.
  var fileDescriptor: CInt { watch.descriptor }

  /// The descriptor of the device's node.
  var nodeDescriptor: CInt { node.descriptor }

  /// Enables the buffer of a device for some channels, and these only.
  ///
  /// - Parameters:
  ///   - claim: the right to do so.
  ///   - device: a device of this machine.
  ///   - channels: the channels that each scan is to hold.
  ///   - blockLength: how many scans make a block.
  ///   - watermark: how many make the descriptor readable.
  ///   - settings: what was set of the device so far.
  /// - Throws: ``SourceError``: `noBuffer` where the kernel refuses without a trigger, `permissionDenied`, `vanished`.
  init(
    _ claim: consuming BufferClaim, of device: IIODevice, channels: [IIOChannel], blockLength: Int,
    watermark: Int, settings: OwnSettings
  ) throws(SourceError) {
    // Those that an earlier program left on go first: some drivers refuse a channel beside them.
    for isWanted in [false, true] {
      for channel in device.scanElements where channels.contains(where: { $0.id == channel.id }) == isWanted {
        let path = channel.scanFile("en")
        let code = settings.keeping(file: path) { writeAttribute(path, isWanted ? "1" : "0") }
        guard code == 0 else { throw SourceError(code: code, subject: path, operation: "writing") }
      }
    }
    try device.check(settings.set("buffer/length", to: "\(blockLength * Self.blocksInKernel)"), of: "length")
    // Kernels before 4.2 have no watermark: there each sample makes the descriptor readable.
    _ = settings.set("buffer/watermark", to: "\(watermark)")
    try device.check(settings.enableBuffer(), of: "enable")
    node = claim.node
    watch = BufferWatch(node: node.descriptor, switch: "\(device.directory)/\(OwnSettings.enable)")
    self.device = device.displayName
    self.settings = settings
  }

  deinit { settings.takeBack() }

  /// Makes sure that nobody else has taken the buffer; one that was taken is not switched off.
  ///
  /// - Throws: ``SourceError/busy(device:holder:)``
  borrowing func checkOwnership() throws(SourceError) {
    guard watch.wasSwitchWritten() else { return }
    settings.isDisplaced = true
    throw .busy(device: device)
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

  /// Makes an error of what the driver says when an attribute of its buffer is set.
  fileprivate func check(_ code: CInt, of attribute: String) throws(SourceError) {
    switch code {
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
