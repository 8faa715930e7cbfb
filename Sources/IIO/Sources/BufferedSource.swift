// SPDX-License-Identifier: Apache-2.0

package import Orientation

/// An accelerometer or a gyroscope whose driver delivers samples through a buffer, at the sensor's own pace.
///
/// Samples are decoded with a layout that is prepared once: a wakeup costs one poll and one read, a sample a few dozen
/// instructions.
public struct BufferedSource: ~Copyable, SampleSource {
  /// How long a sensor may deliver nothing before it counts as silent, in seconds.
  ///
  /// Its sensor is polled after that, and no turn is noticed meanwhile, so this is short.
  package static let silenceLimit = 1.5
  /// How many reports prove that the buffer works: more than some sensors send when they are powered up.
  private static let proof = 3
  /// How long after an answer of the sensor the kernel may still add a sample of it to the buffer, in seconds.
  private static let echo = 0.1
  /// If this thread was away from the buffer for longer, in seconds, the samples in it are outdated: as in `SampleClock`.
  private static let longestAbsence = 1.0

  /// The rate at which the sensor delivers samples, in hertz.
  package let sampleRate: Double

  /// How many scans make a block.
  private let blockLength: Int
  /// Whether the device is a sensor hub.
  let isHub: Bool
  /// How the sensor is made silent while the tablet is at rest; nil if it does not support that.
  let sensitivity: ChangeSensitivity?
  /// The axes of a hub, to poll it after a silence, or of a chip with motion events; nil if it cannot be polled.
  let axes: PolledAxes?
  /// Whether it is set to report only changes: ``ChangeSensitivity/isInEffect``.
  ///
  /// Stored here, because access to the object costs a reference count.
  var isSetToChanges: Bool
  /// What its silence means as long as it is not set to report only changes.
  var silence = Silence.unexplained
  // The next two are spelled out: at an optional that is nil by itself, the compiler of Swift 6.2 fails in the initializer.
  /// How its frequency is lowered at rest; nil if that is not possible.
  var slowReports: Optional<SlowReports>
  /// How the chip reports motion while the tablet is at rest; nil if it does not.
  var events: Optional<MotionEvents>
  var eventTrust = EventTrust()
  /// When the sensor last showed that it works: by samples, or by an answer.
  var heard: BootTime
  /// The last sample.
  private(set) var last: Acceleration<SensorFrame>?
  /// How many reports the sensor has sent since it was opened, up to the number that is a proof.
  private var reports = 0
  /// When it was last polled.
  private var lastAnswer = BootTime(nanoseconds: 0)

  let buffer: IIOBuffer
  private let block: ScanBlock
  private let decoder: ScanDecoder
  /// For the gyroscope that is part of an accelerometer's device; nil if that is not wanted, or does not work.
  private let rateDecoder: ScanDecoder?
  /// What the samples measure.
  let quantity: AxisQuantity
  private var position = 0
  private var count = 0
  private var arrival: BootTime
  /// When the last read of the buffer began.
  ///
  /// A thread that is stopped after a read, before it looks at the clock, was away, too.
  private var lookedAt: BootTime
  private var lastTime: BootTime
  /// Whether the last sample was one that the sensor did not report.
  private var isHolding = false

  /// Opens a sensor of this machine and powers it up.
  ///
  /// - Throws: ``SourceError``: `noBuffer` if the sensor can only be polled, `busy` if another program uses the buffer
  ///   (then nothing was changed), `vanished`, `missingAttribute` without a scale, `malformed`, `permissionDenied`.
  package init(_ sensor: SensorDescription, _ options: SamplingOptions) throws(SourceError) {
    let rate = options.rate
    let device = try sensor.presentDevice()
    let claim = try BufferClaim(of: device, beside: options.neighbour)
    let settings = OwnSettings(of: device, markPath: options.mark)
    device.powerDownIfIdle()
    // This comes before anything is set: with each setting, the kernel also sends a hub all others, as it last read them.
    let quantity = sensor.quantity
    let sensitivity = ChangeSensitivity(of: device, measuring: quantity, keptBy: settings)
    let channel = device.inputChannel(Axis.x.channel(of: quantity))
    // Only hubs have the attribute. Other sensors never report only changes.
    let isHub = channel?.has("hysteresis") == true
    let events = isHub || quantity != .acceleration ? nil : MotionEvents(of: device, keptBy: settings)
    // Many other sensors cannot be polled while their buffer is enabled.
    let axes = isHub || events != nil ? try? PolledAxes(of: device, measuring: quantity) : nil
    let choices = sensor.availableFrequencies.choices(for: rate)
    let frequency = channel?.setSamplingFrequency(choices, keeping: settings)
    if options.withRates { device.setRateFrequency(rate, keeping: settings) }
    // The kernel's default is the realtime clock, which jumps. If the driver refuses, the time stamps show it.
    _ = settings.set("current_timestamp_clock", to: "boottime")
    device.setTriggerIfNone(keeping: settings)
    let (channels, rateDecoder) = device.scanElements(
      measuring: quantity, withRates: options.withRates)
    let decoder = try ScanDecoder(
      scansOf: channels, name: sensor.displayName, measuring: quantity, lacksZ: sensor.lacksZ)
    // A driver without the attribute samples at a rate of the chip, or of its trigger, which is measured.
    let knownRate = channel?.samplingFrequencyFile.map { _ in frequency ?? choices.first ?? rate }
    // The block is small: the delay to a movement must depend on the filter, not on the buffer.
    func blockLength(at rate: Double) -> Int {
      Int(min(max((rate * options.blockDuration).rounded(.down), 1), 1024))
    }
    // A hub may report a turn only once, and poll() does not return for fewer scans than the watermark.
    func watermark(at rate: Double) -> Int { isHub ? 1 : blockLength(at: rate) }
    // These change when the tablet comes to rest.
    if let file = channel?.samplingFrequencyFile { settings.keep(file) }
    sensitivity?.keep()
    let buffer = try IIOBuffer(
      claim, of: device, channels: channels,
      blockLength: knownRate.map(blockLength) ?? IIOBuffer.measuredScans / IIOBuffer.blocksInKernel,
      watermark: knownRate.map(watermark) ?? 1, settings: settings)
    let measuredRate = knownRate == nil ? try buffer.measuredRate(decodedBy: decoder) : nil
    let sampleRate = knownRate ?? measuredRate ?? choices.first ?? rate
    if knownRate == nil {
      try buffer.set(blockLength: blockLength(at: sampleRate), watermark: watermark(at: sampleRate))
    }
    self.sensitivity = sensitivity
    self.isHub = isHub
    self.events = axes == nil ? nil : events
    self.axes = axes
    isSetToChanges = sensitivity?.isInEffect == true
    slowReports =
      quantity == .angularVelocity
      ? nil
      : channel.flatMap {
        SlowReports(of: $0, full: sampleRate, available: sensor.availableFrequencies, keptBy: settings)
      }
    self.buffer = buffer
    self.decoder = decoder
    self.rateDecoder = rateDecoder
    self.quantity = quantity
    self.sampleRate = sampleRate
    self.blockLength = watermark(at: sampleRate)
    block = ScanBlock(
      scanSize: decoder.scanSize, capacity: blockLength(at: sampleRate) * IIOBuffer.blocksInKernel)
    arrival = .now
    (lookedAt, heard) = (arrival, arrival)
    // The first sample may be older than the return of the call that enables the buffer.
    lastTime = arrival.advanced(bySeconds: -Self.silenceLimit)
  }

  /// Returns the next sample of the present block, or waits for the next block.
  ///
  /// - Throws: ``SourceError``: `silent` after ``silenceLimit``, `vanished` if the device is gone, or the error for the
  ///   driver's errno.
  package mutating func next(interruptedBy wakeUp: borrowing WakeUpEvent) throws(SourceError)
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

  /// The next sample of the present block, which must have one.
  mutating func nextOfBlock() -> Sample<SensorFrame> {
    let scan = block.scan(position)
    position &+= 1
    let acceleration = decoder.acceleration(at: scan)
    noteRepetition(of: acceleration)
    return sample(acceleration, at: time(of: scan))
  }

  /// The gyroscope's reading in the scan of the last sample.
  package func rates() -> AngularVelocity<SensorFrame>? {
    guard let rateDecoder, position > 0 else { return nil }
    return AngularVelocity(axesOf: rateDecoder.acceleration(at: block.scan(position - 1)))
  }

  /// Whether the present block contains the sensor's own reports, and not what the kernel made of its answer.
  private var isReport: Bool { arrival.seconds(since: lastAnswer) > Self.echo }

  /// Learns that the sensor has reported the same value twice.
  @inline(__always)
  private mutating func noteRepetition(of acceleration: Acceleration<SensorFrame>) {
    if acceleration == last, silence == .unexplained, isReport { silence = .failure }
  }

  /// How much time a block of samples covers at the full rate, in seconds.
  var blockPeriod: Double { Double(blockLength) / sampleRate }

  /// Whether a block is a single sample, which a sensor at a lowered frequency delivers as soon as it is measured.
  var isSingleSample: Bool { blockLength == 1 }

  /// Whether its silence means now that nothing changes.
  var reportsChangesOnly: Bool { isSetToChanges || silence == .nothingNew }

  /// Whether its answer differed from its reports: then its silence must not be trusted.
  package var withholdsReports: Bool { silence == .withheld }

  /// Whether the sensor has sent any report since it was opened.
  var hasReported: Bool { reports > 0 }

  /// Waits until some reports of the sensor have proven that its buffer works; false when `wakeUp` was signalled before.
  ///
  /// - Throws: as ``next(interruptedBy:)``.
  package mutating func proveReports(interruptedBy wakeUp: borrowing WakeUpEvent) throws(SourceError) -> Bool
  {
    while reports < Self.proof {
      switch try refill(within: Self.silenceLimit, interruptedBy: wakeUp) {
      case .block: continue
      case .silence: throw silent
      case .interruption: return false
      }
    }
    return true
  }

  /// The error for a sensor that delivers nothing.
  var silent: SourceError { .silent(device: buffer.device, seconds: Self.silenceLimit) }

  /// Whether the present block has another sample.
  var hasNextOfBlock: Bool { position < count }

  /// Skips the samples of the present block that satisfy a condition, up to the first that does not.
  mutating func skipOfBlock(while isOfNoUse: (Acceleration<SensorFrame>) -> Bool) {
    while position < count {
      let acceleration = decoder.acceleration(at: block.scan(position))
      guard isOfNoUse(acceleration) else { return }
      noteRepetition(of: acceleration)
      last = acceleration
      position &+= 1
    }
  }

  /// Creates a sample, and stores it as the last one.
  mutating func sample(_ acceleration: Acceleration<SensorFrame>, at time: BootTime) -> Sample<SensorFrame> {
    last = acceleration
    lastTime = time
    return Sample(time: time, acceleration: acceleration)
  }

  /// Waits for a block for some seconds.
  mutating func refill(
    within seconds: Double, interruptedBy wakeUp: borrowing WakeUpEvent
  ) throws(SourceError) -> BlockWait {
    while true {
      var found = Found.nothing
      let end = try wakeUp.wait(forBlockOf: buffer.fileDescriptor, within: seconds) {
        () throws(SourceError) in
        found = try readBlock()
        return found != .nothing
      }
      guard end == .block else { return end }
      if found == .present {
        if reports < Self.proof, isReport { reports &+= 1 }
        return .block
      }
      // A report that was among the outdated samples, or did not fit into the buffer, is not repeated.
      if reportsChangesOnly { return .silence }
    }
  }

  /// What a read of the buffer has found.
  enum Found {
    case nothing
    /// Only samples that are outdated, and were skipped.
    case past
    case present
  }

  /// Reads what the driver has.
  mutating func readBlock() throws(SourceError) -> Found {
    let before = lookedAt
    guard try readScans() else { return .nothing }
    guard arrival.seconds(since: before) > Self.longestAbsence else { return .present }
    return try passOverThePast()
  }

  /// Skips outdated samples after this thread was away: frozen, stopped or starved, or asleep while a hub had nothing to
  /// report.
  ///
  /// Only the present position of the tablet matters, and the latest scan shows it. But a full buffer contains the oldest
  /// scans, and the later ones are lost.
  ///
  /// - Returns: whether there is a present scan.
  private mutating func passOverThePast() throws(SourceError) -> Found {
    guard isBlockFull else {
      position = count - 1
      return .present
    }
    // The kernel rounds the size of its buffer up, so it may contain more.
    for _ in 0..<IIOBuffer.blocksInKernel where isBlockFull {
      guard try readScans() else { break }
    }
    position = count
    last = nil
    return .past
  }

  var isBlockFull: Bool { count == block.capacity }

  /// Reads what the driver has; false if it has nothing.
  mutating func readScans() throws(SourceError) -> Bool {
    lookedAt = .now
    let read = try buffer.read(into: block)
    arrival = .now
    guard read > 0 else { return false }
    position = 0
    count = read
    heard = arrival
    isHolding = false
    return true
  }

  /// Starts the buffer again after it was paused for a rest; what it contained is outdated.
  ///
  /// - Throws: as ``IIOBuffer/pause()``.
  mutating func resumeBuffer() throws(SourceError) {
    try buffer.resume()
    position = count
    heard = .now
    (arrival, lookedAt) = (heard, heard)
  }

  /// Skips what the driver has, except the latest sample; nil if it has nothing.
  mutating func latest() throws(SourceError) -> Acceleration<SensorFrame>? {
    lastAnswer = .now
    guard try readBlock() == .present else { return nil }
    position = count
    return decoder.acceleration(at: block.scan(count - 1))
  }

  /// How long to wait for a block, in seconds, before the silence is handled.
  private var patience: Double {
    // Before the first report, there is no sample that could be repeated.
    guard reportsChangesOnly, last != nil else { return Self.silenceLimit }
    // A report that is due may come late. After that, the last sample is repeated at the full rate.
    return isHolding ? blockPeriod : 3 * blockPeriod
  }

  /// The sample that a silence means.
  ///
  /// The silence of a hub that reports only changes means that nothing changes: then the last sample is returned again. Any
  /// hub is polled before it counts as broken.
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

  /// The driver's time stamp if it can be one on CLOCK_BOOTTIME; otherwise the arrival, spread over the block by the rate.
  ///
  /// The stamp is not on CLOCK_BOOTTIME if it is in the future, as with the realtime clock, or not after the sample before,
  /// as with a driver that leaves the field empty.
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
