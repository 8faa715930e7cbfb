// SPDX-License-Identifier: Apache-2.0

import CLinux
package import Orientation

/// A simulated tablet: it is held for some seconds in each of the six poses, and turned smoothly in between.
///
/// It shows how the daemon works on a machine without an accelerometer; programs that use it must say that it is simulated.
/// Its samples are in the screen's axes.
public struct SimulatedSource: ~Copyable, SampleSource {
  /// How long each pose is held, in seconds.
  package static let holdTime = 2.5
  /// How long a turn to the next pose takes, in seconds: as a hand does it, slowly enough to be watched.
  package static let turnTime = 1.5
  /// The largest deviation of a sample on each axis, in m/s^2; a BMA255 has a noise of 0.02 m/s^2 RMS at 25 Hz.
  static let noise = 0.04
  /// The poses, one after the other.
  private static let poses: [DeviceOrientation] = [
    .portrait, .landscapeLeft, .faceUp, .portraitUpsideDown, .landscapeRight, .faceDown,
  ]

  private let start: BootTime
  private var ticker: Ticker
  private var random: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// The rate of the samples, in hertz.
  package var sampleRate: Double { ticker.rate }

  /// Samples from now on, with a rate in hertz, a tablet that is held upright at the start.
  package init(rate: Double, since start: BootTime = .now) {
    self.start = start
    ticker = Ticker(rate: rate, start: .now)
  }

  /// Waits for the next tick, whose time the sample has.
  package mutating func next(interruptedBy wakeUp: borrowing WakeUpEvent) throws(SourceError)
    -> Sample<SensorFrame>?
  {
    let due = ticker.nextTick
    guard wakeUp.wait(until: due) != .signalled else { return nil }
    ticker.advance(now: .now)
    let pose = Self.acceleration(atSeconds: due.seconds(since: start))
    return Sample(
      time: due,
      acceleration: Acceleration(x: pose.x + stray(), y: pose.y + stray(), z: pose.z + stray()))
  }

  /// The reading without noise, some seconds after the start.
  static func acceleration(atSeconds seconds: Double) -> Acceleration<ScreenFrame> {
    let step = holdTime + turnTime
    let number = (seconds / step).rounded(.down)
    let from = poses[Int(number) % 6].up ?? .zero
    let to = poses[(Int(number) + 1) % 6].up ?? .zero
    let progress = max(seconds - number * step - holdTime, 0) / turnTime
    // The turn starts and ends at rest, without a jerk (Perlin's smootherstep). Each pose is at a right angle to the next.
    let angle = progress * progress * progress * (progress * (progress * 6 - 15) + 10) * Double.pi / 2
    let (near, far) = (standardGravity * cos(angle), standardGravity * sin(angle))
    return Acceleration(from * near + to * far)
  }

  /// A small number that looks random (xorshift64*, Vigna 2016), the same in every run.
  private mutating func stray() -> Double {
    random ^= random &>> 12
    random ^= random &<< 25
    random ^= random &>> 27
    let unit = Double((random &* 0x2545_F491_4F6C_DD1D) &>> 11) / Double(1 << 53)
    return (unit * 2 - 1) * Self.noise
  }
}
