// SPDX-License-Identifier: Apache-2.0

import Following
import IIO
import Orientation
import OrientationClient
import Systemd

/// The readings of the daemon's accelerometer from its motion socket, in the axes of the panel by the mount matrix in use.
final class MotionReadings: PoseSource {
  /// How long to wait for a reading, in seconds: a daemon that restarts, and a hub that starts, take two.
  private static let patience = 5.0
  /// The time between two readings: that of the daemon's usual rate.
  private static let interval = MotionInterval(nearestTo: .milliseconds(40))

  private let mounting: MountingInUse
  private let check: () throws -> Void
  private let loop: EventLoop
  private var session: MotionSession?
  private var samples: [Sample<SensorFrame>] = []
  private var isDenied = false
  /// Why there are no readings.
  private var obstacle = "it sends nothing"

  /// Connects.
  ///
  /// - Parameters:
  ///   - socket: the path of the motion socket.
  ///   - mounting: how the sensor is mounted by the daemon.
  ///   - check: throws if that is another one now.
  /// - Throws: ``CommandError`` if there are no descriptors left.
  init(
    socket: String, mounting: MountingInUse, check: @escaping () throws -> Void
  ) throws(CommandError) {
    self.mounting = mounting
    self.check = check
    loop = try inEventLoop { () throws(SystemdError) in try EventLoop() }
    session = MotionSession(
      path: socket, requests: [.start(.accelerometer, interval: Self.interval)], loop: loop
    ) { [unowned self] in handle($0) }
    session?.connect()
  }

  func next() throws -> Sample<SensorFrame>? {
    let deadline = BootTime.now.advanced(bySeconds: Self.patience)
    while samples.isEmpty {
      guard !isDenied else { throw CommandError.motionDenied }
      let seconds = deadline.seconds(since: .now)
      guard seconds > 0 else {
        throw CommandError(
          "there is no reading from orientationd: \(obstacle.printable); nothing was changed")
      }
      _ = try inEventLoop { () throws(SystemdError) in try loop.runOnce(timeoutSeconds: seconds) }
    }
    return samples.removeFirst()
  }

  func checkAxes() throws { try check() }

  private func handle(_ event: MotionSession.Event) {
    switch event {
    case .unavailable(let error): obstacle = "\(error)"
    case .record(let record):
      guard record.sensor == .accelerometer else { return }
      switch record.content {
      case .sample(let x, let y, let z):
        let reading = Acceleration<ScreenFrame>(x: Double(x), y: Double(y), z: Double(z))
        samples.append(Sample(time: record.time, acceleration: mounting.onPanel(reading)))
      case .state(.denied): isDenied = true
      case .state(.noSensor): obstacle = "there is no accelerometer"
      case .state(.failed): obstacle = "the accelerometer cannot be read (see the journal)"
      case .state(.suspended): obstacle = "the device is about to sleep"
      case .state: break
      }
    }
  }
}
