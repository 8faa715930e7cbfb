// SPDX-License-Identifier: Apache-2.0

import Following
import IIO
import Orientation
import OrientationClient
import Systemd

/// The readings of the daemon's accelerometer from its motion socket, in the axes of the panel by the mount matrix in use.
final class MotionReadings: PoseSource {
  /// The moment for which to wait for a reading, in seconds: a person sees that the picture goes on.
  private static let moment = 0.1
  /// The time between two readings: that of the daemon's usual rate.
  private static let interval = MotionInterval(nearestTo: .milliseconds(40))

  private let mounting: MountingInUse
  private let loop: EventLoop
  private var session: MotionSession?
  private var samples: [Sample<SensorFrame>] = []
  private var isDenied = false
  private(set) var obstacle: String?

  /// Connects.
  ///
  /// - Parameters:
  ///   - socket: the path of the motion socket.
  ///   - mounting: how the sensor is mounted by the daemon.
  /// - Throws: ``CommandError`` if nobody listens at the socket, or there are no descriptors left.
  init(socket: String, mounting: MountingInUse) throws(CommandError) {
    self.mounting = mounting
    loop = try inEventLoop { () throws(SystemdError) in try EventLoop() }
    session = MotionSession(
      path: socket, requests: [.start(.accelerometer, interval: Self.interval)], loop: loop
    ) { [unowned self] in handle($0) }
    session?.connect()
    // The daemon has answered on the bus, so this is not for a moment.
    if let obstacle { throw CommandError(obstacle + Self.hint(for: socket)) }
  }

  /// What to do if nobody listens at the daemon's own socket, which systemd has for it.
  private static func hint(for socket: String) -> String {
    guard socket == MotionCommand.daemonSocket else { return "" }
    return "; to have systemd listen:\n\n    sudo systemctl enable --now orientationd-motion.socket"
  }

  func next() throws -> Sample<SensorFrame>? {
    if samples.isEmpty {
      _ = try inEventLoop { () throws(SystemdError) in try loop.runOnce(timeoutSeconds: Self.moment) }
    }
    guard !isDenied else { throw CommandError.motionDenied }
    return samples.isEmpty ? nil : samples.removeFirst()
  }

  private func handle(_ event: MotionSession.Event) {
    switch event {
    case .unavailable(let error): miss(error.obstacleToMotion)
    case .record(let record):
      guard record.sensor == .accelerometer else { return }
      switch record.content {
      case .sample(let x, let y, let z):
        let reading = Acceleration<ScreenFrame>(x: Double(x), y: Double(y), z: Double(z))
        samples.append(Sample(time: record.time, acceleration: mounting.onPanel(reading)))
        obstacle = nil
      case .state(.denied): isDenied = true
      case .state(.noSensor): miss("there is no accelerometer")
      case .state(.failed): miss("the accelerometer cannot be read (see the journal)")
      case .state(.suspended): miss("the device is about to sleep")
      case .state: break
      }
    }
  }

  private func miss(_ reason: String) { obstacle = "there is no reading: \(reason.printable)" }
}
