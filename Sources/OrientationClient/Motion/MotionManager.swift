// SPDX-License-Identifier: Apache-2.0

// This folder: the readings of motion sensors, from the daemon's motion socket. A loop over MotionUpdates has a MotionBuffer, which a
// MotionReceiver fills on the thread of the bus: its MotionSession talks to the daemon, and its MotionInterpreter makes values from samples.

package import Orientation

/// The motion sensors of the device, as CoreMotion's CMMotionManager, through the daemon's motion socket (orientationd-motion(5)).
///
/// Programs of the active local session need no privilege; others are denied (``MotionStreamState/denied``). Nothing blocks the calling
/// thread. The names are CoreMotion's if they fit. These things differ:
///
/// - Accelerations are in m/s^2, not in g.
/// - At rest, the accelerometer reads the force that holds the device up, as on Android: 0, 0, +9.8 for a device that lies on its back.
///   CoreMotion reads 0, 0, -1 there.
/// - So the acceleration by the user has the other sign, too: here, a push to the right is +x.
/// - The axes are those of the screen in the device's portrait orientation: x to its right edge, y to its top, z out of it. On an iPhone,
///   these are CoreMotion's, too; here they are the screen's also if its natural orientation is landscape.
/// - Time stamps are on CLOCK_BOOTTIME, which counts the time in which the machine sleeps.
/// - Values come as AsyncSequences: a loop starts the sensor and stops it. There are no properties such as isAccelerometerAvailable: a
///   loop gets the state ``MotionStreamState/noSensor``, and goes on if a sensor appears.
/// - There is no magnetometer in it, so ``DeviceMotion`` has no magnetic field, and yaw is relative.
public struct MotionManager: Sendable {
  /// Where the daemon listens.
  private let path: String

  /// Creates a manager; each loop over its sequences connects by itself.
  ///
  /// - Parameter socket: the daemon's socket; another one is for tests.
  public init(socket: String = "/run/orientationd/motion") { path = socket }

  /// The readings of the accelerometer.
  ///
  /// - Parameter interval: the wanted time between two of them; 5 ms to 10 s, and the nearest of these for others. The sensor may be
  ///   slower.
  /// - Returns: a sequence that starts the sensor when a loop over it begins.
  public func accelerometerUpdates(every interval: Duration) -> MotionUpdates<AccelerometerData> {
    updates(of: .accelerometer, every: interval) { vector, time in
      AccelerometerData(timestamp: time, acceleration: Acceleration(vector))
    }
  }

  /// The readings of the gyroscope.
  ///
  /// - Parameter interval: the wanted time between two of them; 5 ms to 10 s, and the nearest of these for others. The sensor may be
  ///   slower.
  /// - Returns: a sequence that starts the sensor when a loop over it begins.
  public func gyroUpdates(every interval: Duration) -> MotionUpdates<GyroData> {
    updates(of: .gyroscope, every: interval) { vector, time in
      GyroData(timestamp: time, rotationRate: AngularVelocity(vector))
    }
  }

  /// Gravity, from the readings of the accelerometer through a low-pass filter of the daemon with a time constant of 0.12 s.
  ///
  /// - Parameter interval: the wanted time between two values; 5 ms to 10 s, and the nearest of these for others. The sensor may be
  ///   slower.
  /// - Returns: a sequence that starts the sensor when a loop over it begins.
  public func gravityUpdates(every interval: Duration) -> MotionUpdates<GravityData> {
    updates(of: .gravity, every: interval) { vector, time in
      GravityData(timestamp: time, gravity: Acceleration(vector))
    }
  }

  /// How the device is turned and moved, from the gyroscope and the accelerometer.
  ///
  /// The sensors run 100 times a second or faster, so that the filter follows quick turns. Without a gyroscope, there is no attitude, the
  /// accelerometer runs 25 times a second or faster, and gravity and acceleration are separated by a low-pass filter. Values wait for a
  /// gyroscope that is being started, for two seconds at most; then they come without an attitude until it delivers.
  ///
  /// The states are those of the accelerometer's stream. ``MotionUpdate/lost(_:)`` also counts readings of the gyroscope: then the yaw is
  /// wrong by what the device was turned meanwhile.
  ///
  /// - Parameter interval: the wanted time between two values; 5 ms to 10 s, and the nearest of these for others.
  /// - Returns: a sequence that starts the sensors when a loop over it begins.
  public func deviceMotionUpdates(every interval: Duration) -> MotionUpdates<DeviceMotion> {
    let interval = MotionInterval(nearestTo: interval)
    return updates { DeviceMotionInterpreter(every: interval) }
  }

  private func updates<Value: Sendable>(
    of sensor: MotionSensor, every interval: Duration,
    _ make: @escaping @Sendable (SIMD3<Double>, BootTime) -> Value
  ) -> MotionUpdates<Value> {
    let interval = MotionInterval(nearestTo: interval)
    return updates { SampleInterpreter(sensor: sensor, interval: interval, make: make) }
  }

  private func updates<Interpreter: MotionInterpreter>(
    _ interpreter: @escaping @Sendable () -> Interpreter
  ) -> MotionUpdates<Interpreter.Value> {
    MotionUpdates { [path] buffer in
      let receiver = MotionReceiver(path: path, interpreter: interpreter(), buffer: buffer)
      Task(executorPreference: BusExecutor.shared) { await receiver.begin() }
      return Use { _ = Task(executorPreference: BusExecutor.shared) { await receiver.end() } }
    }
  }
}

extension MotionInterval {
  /// Creates the interval within the daemon's limits that is nearest to a duration.
  package init(nearestTo duration: Duration) {
    let (seconds, attoseconds) = duration.components
    // More seconds than the limit are no different.
    let whole = min(max(seconds, -1), 100)
    self.init(nearestTo: whole * 1_000_000 + attoseconds / 1_000_000_000_000)
  }
}
