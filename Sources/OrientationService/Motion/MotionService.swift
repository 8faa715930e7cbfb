// SPDX-License-Identifier: Apache-2.0

// Serves samples to programs, over a socket that the service manager has opened. What programs want decides whether, and how fast, the
// sensors run; the state of the sensors, and the streams, are the plan of the thread that sends. Motion is a side channel, which is why
// polkit decides who may read it; orientationd-motion(5) names the literature.

import IIO
import Orientation
import SensorSetup
import Systemd

/// Serves the motion socket.
final class MotionService: ServicePart, DeviceObserver, SleepObserver {
  private let device: DeviceService
  private let sleep: MachineSleep
  private let log: ServiceLog
  private var readers: MotionReaders?
  /// The thread that sends, from the first stream until the last program has left; nil if there is none.
  private var sender: Worker<MotionPlan, Void>?
  /// What it shares with the sensors' threads.
  private var link: MotionLink?
  private var plan = MotionPlan()
  /// What streams want of the accelerometer's device.
  private var deviceDemand: MotionDemand?
  private var deviceRate = RateHold()
  private var gyroscopeRate = RateHold()
  /// How long until the thread that sends is started again, if that has failed, in seconds.
  private static let retrySeconds = 2.0

  /// Ends when a rate may fall, or the thread is started again.
  private var timer: Timer?
  private var failures = FailureLimiter<SourceError>()
  /// The gyroscope, of whatever device.
  private var gyroscope: MountedGyroscope?
  /// Runs the thread of one that has a device of its own, exactly while streams want it and the machine is awake.
  private let gyroscopeRunner: SensorRunner<GyroscopeJob>
  /// The rate that streams want of such a one, in hertz; nil if none wants it.
  private var ownGyroscopeRate: Double?

  /// Serves from here on.
  ///
  /// - Parameters:
  ///   - sockets: what the service manager has passed.
  ///   - connection: the loop, and the bus of polkit and logind.
  ///   - authorizer: knows polkit.
  ///   - device: owns the accelerometer.
  ///   - sleep: the machine's sleep, during which no sensor is open.
  ///   - log: where messages go.
  /// - Throws: `BusError` if the bus or the loop cannot be used.
  init(
    on sockets: consuming PassedSockets, connection: Connection, authorizer: Authorizer,
    device: DeviceService, sleep: MachineSleep, log: ServiceLog
  ) throws(BusError) {
    self.device = device
    self.sleep = sleep
    self.log = log
    gyroscopeRunner = SensorRunner("gyroscope", loop: connection.loop, log: log)
    readers = try MotionReaders(on: sockets, connection: connection, permissions: authorizer.permissions) {
      [unowned(unsafe) self] in settle()
    }
    timer = try BusError.wrapping { () throws(SystemdError) in
      try connection.loop.timer { [unowned(unsafe) self] in settle() }
    }
    gyroscopeRunner.wanted = { [unowned(unsafe) self] in gyroscopeJob }
    gyroscopeRunner.whenChanged = { [unowned(unsafe) self] in update() }
    gyroscopeRunner.whenReleased = { [unowned(unsafe) self] in self.sleep.released() }
    device.add(self)
    sleep.add(self)
  }

  // MARK: The sensors

  func deviceAnnounced() { update() }

  func devicesFound(_ scan: SensorScan) {
    guard scan.gyroscope != gyroscope else { return }
    gyroscope = scan.gyroscope
    if let gyroscope { log.sensor(gyroscope.name, isFoundAs: "gyroscope") }
    gyroscopeRunner.forget()
    gyroscopeRunner.settle()
    settle()
  }

  func machine(is phase: MachineSleep.Phase) {
    gyroscopeRunner.forget()
    gyroscopeRunner.machine(is: phase)
  }

  var isReleased: Bool { gyroscopeRunner.isReleased }

  private var stateOfGyroscope: MotionState {
    // Before the first look for sensors.
    guard device.knowsSensor else { return .starting }
    guard let gyroscope else { return .noSensor }
    if gyroscope.isOfAccelerometer { return stateOfAccelerometer }
    if gyroscopeRunner.isAsleep { return .suspended }
    if gyroscopeRunner.hasFailed { return .failed }
    return gyroscopeRunner.isDelivering ? .active : .starting
  }

  private var stateOfAccelerometer: MotionState {
    guard device.knowsSensor else { return .starting }
    return switch device.properties.sensorStatus {
    case .absent: .noSensor
    // It is closed although it is wanted.
    case .idle: .suspended
    case .starting: .starting
    case .active: .active
    case .silent, .failed: .failed
    }
  }

  // MARK: The plan

  /// Makes the sensors run as the streams want.
  private func settle() {
    let streams = readers?.planned ?? []
    if !streams.isEmpty, link == nil {
      startSending()
      guard link != nil else { timer?.arm(afterSeconds: Self.retrySeconds); return }
    }
    demand(for: streams)
    update()
    // The thread stays as long as its programs, so that it can tell them how their streams have ended.
    if streams.isEmpty, endOfHold == nil, readers?.isEmpty ?? true { stopSending() }
  }

  /// Makes each sensor run as fast as its fastest stream needs, or not at all for streams.
  private func demand(for streams: [MotionPlan.Stream]) {
    let wanted = streams.filter { $0.hold == nil }
    let rates = wanted.filter { $0.sensor == .gyroscope }.map { $0.interval }.min()
    let others = wanted.filter { $0.sensor != .gyroscope }.map { $0.interval }.min()
    let now = BootTime.now
    let isShared = gyroscope?.isOfAccelerometer == true
    let rate = gyroscopeRate.rate(wanted: rates?.rate, at: now)
    let ofDevice = [others, isShared ? rates : nil].compactMap { $0 }.min()
    demandOfDevice(
      deviceRate.rate(wanted: ofDevice?.rate, at: now), gyroscope: isShared && rate != nil ? gyroscope : nil)
    ownGyroscopeRate = isShared || link == nil ? nil : rate
    if ownGyroscopeRate == nil { gyroscopeRunner.forget() }
    gyroscopeRunner.settle()
    if let endOfHold { timer?.arm(afterSeconds: max(endOfHold.seconds(since: now), 0)) }
  }

  /// What the thread of a gyroscope that has a device of its own is to do; nil for nothing.
  private var gyroscopeJob: GyroscopeJob? {
    guard let gyroscope, !gyroscope.isOfAccelerometer, let ownGyroscopeRate, let link else { return nil }
    return GyroscopeJob(
      gyroscope: gyroscope, pace: SensorPace(forReaders: ownGyroscopeRate),
      outlet: RateOutlet(feed: link.gyroscope, transform: gyroscope.transform), display: device.link)
  }

  /// When a sensor may become slower that runs faster than streams want; nil if there is none.
  private var endOfHold: BootTime? {
    [deviceRate.end, gyroscopeRate.end].compactMap { $0 }.min()
  }

  /// Makes the accelerometer's device run for streams, with the gyroscope that is part of it or not; without a rate, for none.
  private func demandOfDevice(_ rate: Double?, gyroscope: MountedGyroscope?) {
    var demand: MotionDemand?
    if let rate, let link {
      let outlet = gyroscope.map { RateOutlet(feed: link.sharedGyroscope, transform: $0.transform) }
      demand = MotionDemand(feed: link.accelerometer, gyroscope: outlet, rate: rate)
    }
    guard demand != deviceDemand else { return }
    deviceDemand = demand
    device.want(demand)
  }

  /// Gives the sending thread what has changed.
  private func update() {
    guard let sender else { return }
    var next = MotionPlan(streams: readers?.planned ?? [])
    next.accelerometer = stateOfAccelerometer
    next.gyroscope = stateOfGyroscope
    next.sharesGyroscope = gyroscope?.isOfAccelerometer ?? false
    guard next != plan else { return }
    plan = next
    sender.link.want(next)
  }

  // MARK: The thread

  private func startSending() {
    do throws(SourceError) {
      let link = try MotionLink()
      let sender = Worker(for: link.thread)
      try sender.start { _ in MotionSender.run(link: link) }
      (self.sender, self.link, plan) = (sender, link, MotionPlan())
      _ = failures.shouldLogRecovery()
    } catch {
      // It is tried again for the next request.
      if failures.shouldLog(error, at: .now) { log.cannotSendMotion(error) }
    }
  }

  private func stopSending() {
    sender?.stop()
    (sender, link, plan) = (nil, nil, MotionPlan())
  }

  func requestStop() {
    sender?.stop()
    gyroscopeRunner.end()
  }

  func waitForEnd(until deadline: BootTime) -> Bool {
    let hasGyroscopeEnded = gyroscopeRunner.waitForEnd(until: deadline)
    return sender?.waitForEnd(until: deadline) ?? true && hasGyroscopeEnded
  }
}
