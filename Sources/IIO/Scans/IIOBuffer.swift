// SPDX-License-Identifier: Apache-2.0

// This folder: samples through the kernel's buffer, in blocks of scans; a scan contains the enabled channels at one
// instant. One program can use a buffer: BufferUse finds out which one. BufferSetup and IIOBuffer set it up; ScanLayout,
// ScanFormat and ScanDecoder convert bytes to numbers.

import CLinux
import Orientation

/// The right to set up a device's buffer: no program has it enabled, and its node is open here.
@usableFromInline  // for its deinit, as AttributeFile
struct BufferClaim: ~Copyable {
  fileprivate let node: DeviceNode

  /// Claims a buffer before anything is set.
  ///
  /// - Throws: ``SourceError``: `busy` if another program uses it; `noBuffer`, `permissionDenied`, `vanished`.
  init(of device: IIODevice, beside neighbour: Neighbour?) throws(SourceError) {
    guard !device.isBufferOn || !device.isBufferTaken(beside: neighbour) else { throw device.bufferIsTaken }
    let node = try DeviceNode(of: device)
    // It was enabled meanwhile, or left enabled by a program that has ended.
    if device.isBufferOn {
      guard neighbour?.isThere == false else { throw device.bufferIsTaken }
      try device.check(writeAttribute("\(device.directory)/\(OwnSettings.enable)", "0"), of: "enable")
    }
    self.node = node
  }
}

/// An enabled buffer of a device.
///
/// libiio's iio_device_create_buffer is not used, for two reasons. libiio 0.24 writes 0 to buffer/enable before it finds
/// out that another program has the device open, which stops that program's samples. And it writes "WARNING: High-speed
/// mode not enabled" to standard error, and so to the journal, each time it opens a buffer.
///
/// When it is destroyed, it disables the buffer and the channels, so that the sensor powers down.
@usableFromInline  // for its deinit, as AttributeFile
struct IIOBuffer: ~Copyable {
  /// The device's name and id, for errors.
  let device: String
  private let settings: OwnSettings
  private let node: DeviceNode
  private let watch: BufferWatch

  /// The kernel's buffer holds this many blocks, so that a program that is delayed, or that waits while the tablet is at
  /// rest, does not lose samples soon.
  static let blocksInKernel = 8

  /// Readable when a block of samples is available, or another program takes the buffer; reads never wait.
  var fileDescriptor: CInt { watch.descriptor }

  /// The descriptor of the device's node.
  var nodeDescriptor: CInt { node.descriptor }

  /// Enables the buffer of a device, with exactly these channels.
  ///
  /// - Parameters:
  ///   - claim: the right to do so.
  ///   - device: a device of this machine.
  ///   - channels: the channels of each scan.
  ///   - blockLength: the number of scans in a block.
  ///   - watermark: the number of scans that makes the descriptor readable.
  ///   - settings: what was set on the device until now.
  /// - Throws: ``SourceError``: `noBuffer` if the kernel requires a trigger and there is none, `permissionDenied`,
  ///   `vanished`.
  init(
    _ claim: consuming BufferClaim, of device: IIODevice, channels: [IIOChannel], blockLength: Int,
    watermark: Int, settings: OwnSettings
  ) throws(SourceError) {
    // Channels that an earlier program left enabled are disabled first: some drivers refuse others beside them.
    for isWanted in [false, true] {
      for channel in device.scanElements where channels.contains(where: { $0.id == channel.id }) == isWanted {
        let code = settings.set(channel.scanFile("en"), to: isWanted ? "1" : "0")
        let path = channel.scanPath("en")
        guard code == 0 else { throw SourceError(code: code, subject: path, operation: "writing") }
      }
    }
    try device.check(settings.set("buffer/length", to: "\(blockLength * Self.blocksInKernel)"), of: "length")
    // Kernels before 4.2 have no watermark; with these, each sample makes the descriptor readable.
    _ = settings.set("buffer/watermark", to: "\(watermark)")
    try device.check(settings.enableBuffer(), of: "enable")
    node = claim.node
    watch = BufferWatch(node: node.descriptor, switch: "\(device.directory)/\(OwnSettings.enable)")
    self.device = device.displayName
    self.settings = settings
  }

  deinit { settings.takeBack() }

  /// Reads what the driver has.
  ///
  /// - Parameter block: the memory for it.
  /// - Returns: how many scans were read; 0 if the driver has none.
  /// - Throws: ``SourceError``: `busy` if another program has taken the buffer, `vanished`, `malformed` for a part of a scan; or
  ///   the error for the driver's errno.
  borrowing func read(into block: borrowing ScanBlock) throws(SourceError) -> Int {
    let bytes = CLinux.read(node.descriptor, block.address, block.scanSize * block.capacity)
    let code = errno
    guard bytes % block.scanSize == 0 || bytes < 0 else {
      throw .malformed(
        path: device, text: "\(bytes) bytes",
        reason: "a multiple of the scan's \(block.scanSize) bytes was expected")
    }
    if bytes > 0 { return bytes / block.scanSize }
    // No driver ends the stream; a descriptor that does will deliver nothing more.
    guard bytes < 0 else { throw .vanished(device: device) }
    guard code == EAGAIN || code == EINTR else {
      throw SourceError(code: code, subject: device, operation: "reading the buffer of")
    }
    try checkOwnership()
    return 0
  }

  /// Checks that no other program has taken the buffer; if one has, the buffer is not disabled later.
  ///
  /// - Throws: ``SourceError/busy(device:holder:)``
  borrowing func checkOwnership() throws(SourceError) {
    guard watch.wasSwitchWritten() else { return }
    settings.isDisplaced = true
    throw .busy(device: device)
  }

  /// Stops the buffer, so that the sensor measures only on request; ``fileDescriptor`` does not become readable for samples.
  ///
  /// - Throws: ``SourceError``: `busy` if another program has taken it, `vanished`; or the error for the driver's errno.
  borrowing func pause() throws(SourceError) {
    try switchBuffer(to: "0")
    watch.remove(node.descriptor)
  }

  /// Sets how many scans make a block, and how many make the descriptor readable, of a buffer that is enabled.
  ///
  /// - Throws: as ``pause()``.
  borrowing func set(blockLength: Int, watermark: Int) throws(SourceError) {
    // The kernel refuses both while the buffer is enabled.
    try pause()
    _ = settings.set("buffer/length", to: "\(blockLength * Self.blocksInKernel)")
    _ = settings.set("buffer/watermark", to: "\(watermark)")
    try resume()
  }

  /// Makes ``fileDescriptor`` readable when there is an event, as long as this descriptor is open.
  borrowing func waitForEvents(_ descriptor: CInt) { watch.add(descriptor) }

  /// Starts it again.
  ///
  /// - Throws: as ``pause()``.
  borrowing func resume() throws(SourceError) {
    try switchBuffer(to: "1")
    watch.add(node.descriptor)
  }

  private borrowing func switchBuffer(to value: String) throws(SourceError) {
    try checkOwnership()
    let code = settings.set(OwnSettings.enable, to: value)
    // Its file is removed before the device.
    guard code != ENOENT else { throw .vanished(device: device) }
    guard code == 0 else {
      throw SourceError(code: code, subject: device, operation: "setting buffer/enable of")
    }
    // This is the notice of the write above.
    _ = watch.wasSwitchWritten()
  }
}

/// The memory into which a block of scans is read.
@usableFromInline  // for its deinit, as AttributeFile
struct ScanBlock: ~Copyable {
  let address: UnsafeMutableRawPointer
  let scanSize: Int
  /// How many scans it has room for.
  let capacity: Int

  init(scanSize: Int, capacity: Int) {
    (self.scanSize, self.capacity) = (scanSize, capacity)
    address = .allocate(byteCount: scanSize * capacity, alignment: 8)
  }

  /// The address of a scan, counted from 0.
  @inline(__always)
  borrowing func scan(_ number: Int) -> UnsafeRawPointer { UnsafeRawPointer(address + number &* scanSize) }

  deinit { address.deallocate() }
}

/// What ended a wait for a block.
enum BlockWait {
  case block
  case silence
  case interruption
}

extension WakeUpEvent {
  /// The pause after a wait that returned a readable descriptor without data, in seconds.
  private static var emptyPause: Double { 0.02 }

  /// Waits for a block of a buffer for some seconds.
  ///
  /// - Parameters:
  ///   - descriptor: the buffer's.
  ///   - seconds: how long to wait.
  ///   - read: reads what the driver has; false if it has nothing.
  /// - Returns: what ended the wait.
  /// - Throws: the errors of `read`.
  @inline(__always)
  func wait(
    forBlockOf descriptor: CInt, within seconds: Double, reading read: () throws(SourceError) -> Bool
  ) throws(SourceError) -> BlockWait {
    let deadline = BootTime.now.advanced(bySeconds: seconds)
    while true {
      let result = wait(for: descriptor, until: deadline)
      guard result != .signalled else { return .interruption }
      // Also at the deadline: poll does not return for fewer samples than the watermark, nor for an unplugged device.
      if try read() { return .block }
      // A descriptor that is always readable never lets the wait reach its deadline.
      guard result != .deadline, .now < deadline else { return .silence }
      // The descriptor is readable, but there is nothing to read: a driver that always does this must not cause a busy
      // loop.
      if wait(seconds: Self.emptyPause) == .signalled { return .interruption }
    }
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
  /// Throws the error for an errno of the driver when an attribute of its buffer is set.
  fileprivate func check(_ code: CInt, of attribute: String) throws(SourceError) {
    switch code {
    case 0: return
    case EINVAL:
      throw .noBuffer(
        device: displayName, reason: "the driver does not enable its buffer without a trigger")
    case ENOENT, ENOSYS: throw .noBuffer(device: displayName, reason: "there is no buffer/\(attribute)")
    case EACCES, EPERM: throw .permissionDenied(path: "\(directory)/buffer/\(attribute)")
    case let code:
      throw SourceError(code: code, subject: displayName, operation: "setting buffer/\(attribute) of")
    }
  }
}
