// SPDX-License-Identifier: Apache-2.0

import CLinux
public import Orientation

/// An accelerometer whose driver delivers samples through a buffer, at the sensor's own pace.
///
/// Samples are decoded here from a layout that was prepared once: a wake-up costs one poll and one read, a sample a
/// few dozen instructions.
public struct BufferedSource: ~Copyable, SampleSource {
  /// How long a sensor may deliver nothing before it counts as silent, in seconds (DESIGN.md section 6).
  public static let silenceLimit = 1.5
  /// How often a sensor must have reported to prove that its buffer lives: more often than some do when they are powered up.
  private static let proof = 3
  /// How long after an answer of the sensor's the kernel may still make a sample of it, in seconds.
  private static let echo = 0.1
  /// How much time the samples of one wake-up cover, in seconds: the daemon's period at its default rate of 25 Hz.
  static let blockDuration = 0.04

  /// How long this thread may be away from the buffer before what lies there is the past, in seconds: as `SampleClock` has it.
  private static let longestAbsence = 1.0

  /// How long a descriptor that is readable and has nothing is left alone, in seconds.
  private static let emptyPause = 0.02

  /// The rate at which the sensor delivers samples, in hertz.
  public let sampleRate: Double

  /// The descriptor of the device node, for tests.
  var nodeDescriptor: CInt { buffer.nodeDescriptor }
  /// Readable when there are samples, or something is to be looked at.
  var fileDescriptor: CInt { buffer.fileDescriptor }

  let device: String
  /// How long a block of samples takes at the full rate, in seconds.
  let blockPeriod: Double
  /// Whether a block is a single sample, which a slowed sensor delivers as soon as it has it.
  let isSingleSample: Bool
  /// How the sensor keeps silent by itself while the tablet is at rest; nil where it cannot.
  let sensitivity: ChangeSensitivity?
  /// The axes of a hub, for asking it whether it is silent rightly; nil where it cannot be asked.
  let axes: PolledAxes?
  /// Whether its silence says now that nothing changes: kept here, as asking an object costs a reference.
  var reportsChangesOnly: Bool
  /// Whether it was found to report changes only although nobody told it to.
  var isQuietByItself = false
  /// How it is slowed down meanwhile; nil where it cannot be.
  var slowReports: SlowReports?
  /// When the sensor last showed that it lives: by samples, or by an answer.
  var heard: BootTime
  /// What the last sample was.
  private(set) var last: Acceleration<SensorFrame>?
  /// How often the sensor has reported by itself since it was opened, up to what is a proof.
  private var reports = 0
  /// When it was last asked.
  private var lastAnswer = BootTime(nanoseconds: 0)
  /// Whether it has reported the same twice, as none does that reports changes only.
  private(set) var repeatsItself = false
  /// Whether it has answered something else than it reported: its buffer must not be believed to be silent rightly.
  public internal(set) var withholdsReports = false

  private let buffer: IIOBuffer
  private let block: ScanBlock
  private let decoder: ScanDecoder
  private var position = 0
  private var count = 0
  private var arrival: BootTime
  private var lastTime: BootTime
  /// Whether the last sample was one that the sensor did not report.
  private var isHolding = false
  /// Whether all that the last look at the buffer found was passed over.
  private var hasPassedOver = false

  /// Opens a sensor of this machine and powers it up.
  ///
  /// - Parameters:
  ///   - sensor: the sensor, as discovery described it.
  ///   - rate: the wanted rate in hertz; the nearest frequency available at or above it is set.
  ///   - neighbour: who may have left the buffer on; nil takes one that is on for one in use.
  ///   - mark: the file that says what is set, while it is; nil leaves none.
  /// - Throws: ``SourceError``: `noBuffer` where the sensor can only be polled, `busy` where another program has the
  ///   buffer, of which nothing was touched then, `vanished`, `missingAttribute` without a scale, `malformed`,
  ///   `permissionDenied`.
  public init(
    _ sensor: SensorDescription, rate: Double, beside neighbour: Neighbour? = nil, mark: String? = nil
  ) throws(SourceError) {
    guard let context = try IIOContext.local(), let device = context.device(of: sensor) else {
      throw .vanished(device: sensor.displayName)
    }
    let claim = try BufferClaim(of: device, beside: neighbour)
    let settings = OwnSettings(of: device, markPath: mark)
    device.powerDownIfIdle()
    // Before anything is set: with each setting, the kernel sends a hub all the others too, as it last read them.
    let sensitivity = ChangeSensitivity(of: device, keptBy: settings)
    // Only hubs have the attribute. Other sensors never report changes only, and many cannot be asked beside their buffer.
    let isHub = device.inputChannel(Axis.x.channel)?.has("hysteresis") == true
    let axes = isHub ? try? PolledAxes(of: device) : nil
    let choices = sensor.availableFrequencies.choices(for: rate)
    let sampleRate = device.setSamplingFrequency(choices, keeping: settings) ?? choices.first ?? rate
    device.setBootTimeClock(keeping: settings)
    device.setTriggerIfNone(in: context, keeping: settings)
    let wantedChannels = Axis.allCases.map { $0.channel } + ["timestamp"]
    let channels = device.scanElements.filter { wantedChannels.contains($0.id) }
    let decoder = try ScanDecoder(scansOf: channels, name: sensor.displayName)
    // The block is small: a sensor in motion is to be answered within the filter's time, not the buffer's.
    let blockLength = Int(min(max((sampleRate * Self.blockDuration).rounded(.down), 1), 1024))
    // A hub may report a turn but once, and fewer scans than the watermark do not show in poll().
    let watermark = isHub ? 1 : blockLength
    // These change when the tablet comes to rest.
    if let path = device.samplingFrequencyPath() { settings.keep(file: path) }
    sensitivity?.keep()
    let buffer = try IIOBuffer(
      claim, of: device, channels: channels, blockLength: blockLength, watermark: watermark,
      settings: settings)
    self.sensitivity = sensitivity
    self.axes = axes
    reportsChangesOnly = sensitivity?.isInEffect == true
    slowReports = SlowReports(
      of: device, full: sampleRate, available: sensor.availableFrequencies, keptBy: settings)
    // The device belongs to it.
    _ = consume context
    self.buffer = buffer
    self.decoder = decoder
    self.sampleRate = sampleRate
    self.device = sensor.displayName
    blockPeriod = Double(watermark) / sampleRate
    isSingleSample = watermark == 1
    block = ScanBlock(byteCount: decoder.scanSize * blockLength * IIOBuffer.blocksInKernel)
    arrival = .now
    heard = arrival
    // A sample may have been taken a moment before it is known that the buffer is enabled.
    lastTime = arrival.advanced(bySeconds: -Self.silenceLimit)
  }

  /// Takes the next sample of the present block, or waits for the next block.
  ///
  /// A hub that reports changes only says by its silence that nothing changes: the last sample holds then. Any hub is asked,
  /// before it is taken for a broken one.
  ///
  /// - Parameter wakeUp: ends the wait when signalled.
  /// - Returns: the sample with the driver's stamp, or that of its arrival where the driver has none on
  ///   CLOCK_BOOTTIME; nil when `wakeUp` was signalled.
  /// - Throws: ``SourceError``: `silent` after ``silenceLimit``, `vanished` with the device gone, or the driver's
  ///   errno.
  public mutating func next(interruptedBy wakeUp: borrowing WakeUpEvent) throws(SourceError)
    -> Sample<SensorFrame>?
  {
    if position == count {
      switch try refill(within: patience, interruptedBy: wakeUp) {
      case .block: break
      case .silence: return try heldSample(interruptedBy: wakeUp)
      case .interruption: return nil
      }
    }
    return nextOfBlock()
  }

  /// The next sample of the present block, which has one.
  mutating func nextOfBlock() -> Sample<SensorFrame> {
    let scan = block.address + position * decoder.scanSize
    position &+= 1
    let acceleration = decoder.acceleration(at: scan)
    if acceleration == last, isReport { repeatsItself = true }
    return sample(acceleration, at: time(of: scan))
  }

  /// Whether the present block is of the sensor's own reports, and not what the kernel has made of its answer.
  private var isReport: Bool { arrival.seconds(since: lastAnswer) > Self.echo }

  /// Whether the sensor has reported anything by itself since it was opened.
  var hasReported: Bool { reports > 0 }

  /// Waits until the sensor has proven by some reports that its buffer lives.
  ///
  /// - Parameter wakeUp: ends the wait when signalled.
  /// - Returns: whether it has; false when `wakeUp` was signalled before.
  /// - Throws: as ``next(interruptedBy:)``.
  public mutating func proveReports(interruptedBy wakeUp: borrowing WakeUpEvent) throws(SourceError) -> Bool {
    while reports < Self.proof {
      switch try refill(within: Self.silenceLimit, interruptedBy: wakeUp) {
      case .block: continue
      case .silence: throw silence
      case .interruption: return false
      }
    }
    return true
  }

  /// What is wrong with a sensor that delivers nothing.
  var silence: SourceError { .silent(device: device, seconds: Self.silenceLimit) }

  /// Whether the present block has another sample.
  var hasNextOfBlock: Bool { position < count }

  /// Passes over the samples of the present block that satisfy a condition, up to the first that does not.
  mutating func skipOfBlock(while isOfNoUse: (Acceleration<SensorFrame>) -> Bool) {
    while position < count {
      let acceleration = decoder.acceleration(at: block.address + position * decoder.scanSize)
      guard isOfNoUse(acceleration) else { return }
      if acceleration == last, isReport { repeatsItself = true }
      last = acceleration
      position &+= 1
    }
  }

  /// A sample that is the last one from here on.
  mutating func sample(_ acceleration: Acceleration<SensorFrame>, at time: BootTime) -> Sample<SensorFrame> {
    last = acceleration
    lastTime = time
    return Sample(time: time, acceleration: acceleration)
  }

  /// What ended a wait for a block.
  enum Refill {
    case block
    case silence
    case interruption
  }

  /// Waits for a block for some seconds.
  mutating func refill(
    within seconds: Double, interruptedBy wakeUp: borrowing WakeUpEvent
  ) throws(SourceError) -> Refill {
    var deadline = BootTime.now.advanced(bySeconds: seconds)
    while true {
      let result = wakeUp.wait(for: buffer.fileDescriptor, until: deadline)
      guard result != .signalled else { return .interruption }
      // At the deadline too: samples fewer than the watermark do not show in poll, nor does an unplugged device.
      if try readBlock() {
        if reports < Self.proof, isReport { reports &+= 1 }
        return .block
      }
      if hasPassedOver {
        // A report that was among it, or has found no room, does not come again.
        if reportsChangesOnly { return .silence }
        deadline = arrival.advanced(bySeconds: seconds)
        continue
      }
      // A descriptor that is always readable never lets the wait come to its deadline.
      guard result != .deadline, .now < deadline else { return .silence }
      // Readable and nothing to read: a driver that says so for ever must not get a loop without pause.
      if wakeUp.wait(seconds: Self.emptyPause) == .signalled { return .interruption }
    }
  }

  /// Reads what the driver has; false where that is nothing of use.
  mutating func readBlock() throws(SourceError) -> Bool {
    let before = arrival
    hasPassedOver = false
    guard try readScans() else { return false }
    guard arrival.seconds(since: before) > Self.longestAbsence else { return true }
    return try passOverThePast()
  }

  /// Takes in that this thread was away: frozen, stopped or starved, or rightly asleep while a hub had nothing to report.
  ///
  /// Only where the tablet is now counts, which the latest of the scans says. But a buffer that has become full holds what was
  /// first, and what came after it is lost.
  ///
  /// - Returns: whether there is a scan of the present.
  private mutating func passOverThePast() throws(SourceError) -> Bool {
    guard isBlockFull else {
      position = count - 1
      return true
    }
    // The kernel rounds its buffer up, so there may be more.
    for _ in 0..<IIOBuffer.blocksInKernel where isBlockFull {
      guard try readScans() else { break }
    }
    position = count
    last = nil
    hasPassedOver = true
    return false
  }

  private var isBlockFull: Bool { count &* decoder.scanSize == block.byteCount }

  /// Reads what the driver has; false where that is nothing.
  private mutating func readScans() throws(SourceError) -> Bool {
    let bytes = read(buffer.nodeDescriptor, block.address, block.byteCount)
    let code = errno
    arrival = .now
    if bytes > 0 {
      guard bytes % decoder.scanSize == 0 else { throw shortRead(bytes) }
      position = 0
      count = bytes / decoder.scanSize
      heard = arrival
      isHolding = false
      return true
    }
    // No driver ends the stream; a descriptor that does will say nothing more.
    guard bytes < 0 else { throw .vanished(device: device) }
    guard code == EAGAIN || code == EINTR else {
      throw SourceError(code: code, subject: device, operation: "reading the buffer of")
    }
    try checkOwnership()
    return false
  }

  /// Makes sure that nobody else has taken the buffer.
  func checkOwnership() throws(SourceError) { try buffer.checkOwnership() }

  /// Passes over what the driver has, but for the latest of it; nil where it has nothing.
  mutating func latest() throws(SourceError) -> Acceleration<SensorFrame>? {
    lastAnswer = .now
    guard try readBlock() else { return nil }
    position = count
    return decoder.acceleration(at: block.address + (count - 1) * decoder.scanSize)
  }

  /// How long to wait for a block, in seconds, until something has to be done about the silence.
  private var patience: Double {
    // Before its first report there is nothing that could hold.
    guard reportsChangesOnly, last != nil else { return Self.silenceLimit }
    // A report that is due may come late; from then on the last one holds at the full rate.
    return isHolding ? blockPeriod : 3 * blockPeriod
  }

  /// The sample that a silence stands for.
  private mutating func heldSample(
    interruptedBy wakeUp: borrowing WakeUpEvent
  ) throws(SourceError) -> Sample<SensorFrame>? {
    if reportsChangesOnly {
      isHolding = true
      if let last, BootTime.now.seconds(since: heard) < Self.silenceLimit { return sample(last, at: .now) }
      return try confirmSilence(interruptedBy: wakeUp).map { sample($0, at: .now) }
    }
    return try learnSilence(interruptedBy: wakeUp).map { sample($0, at: .now) }
  }

  private func shortRead(_ bytes: Int) -> SourceError {
    .malformed(
      path: device, text: "\(bytes) bytes",
      reason: "a multiple of the scan's \(decoder.scanSize) bytes was expected")
  }

  /// The driver's stamp if it can be one on CLOCK_BOOTTIME, else the arrival, spread over the block by the rate.
  ///
  /// It cannot be where it lies in the future, as those of the realtime clock do, or not after the sample before it,
  /// as where a driver leaves the field empty.
  private func time(of scan: UnsafeRawPointer) -> BootTime {
    if let stamp = decoder.timestamp(at: scan), stamp > lastTime,
      stamp.nanoseconds &- arrival.nanoseconds < 100_000_000
    {
      return stamp
    }
    let spread = arrival.advanced(bySeconds: -Double(count &- position) / sampleRate)
    return max(spread, BootTime(nanoseconds: lastTime.nanoseconds &+ 1))
  }
}
