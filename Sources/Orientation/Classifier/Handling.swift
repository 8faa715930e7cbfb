// SPDX-License-Identifier: Apache-2.0

/// How much the device was turned to and fro lately, in radians.
///
/// Gravity's way across the screen's axes in the last seconds, less the straight line from where it was: a turn from one
/// pose to another is no to and fro, however far; waving, tumbling and figures of eight are. Both the way and the starting
/// point fade alike, so the way is never shorter than the line.
///
/// Who holds the device still has done with it what there was to do: then it fades faster. So turns with a rest after each
/// stay single turns, however many there are.
struct Handling {
  /// The way to and fro that is forgiven, in radians: turning the device once and half back, walking with it, and
  /// a noise of 50 mg at 25 Hz all stay below.
  private static let forgiven: Float = 3.5

  /// How much shorter the memory is while the device is held still.
  ///
  /// With the default memory that is 0.7 s: of a turn there and back, a second's rest leaves less than what is forgiven.
  /// Measured on turns at random with a second's rest and more, and tremor (`FidgetingTests`): 99 in 100 are announced within
  /// 0.33 s of their end, and within 0.54 s with one memory for both; from a tenth to a third it makes little difference.
  private static let stillShare: Float = 0.2

  private let memory: Float
  private let stillMemory: Float
  private var way: Float = 0
  private var origin = Force()

  /// Creates a record without a past.
  ///
  /// - Parameter memory: how long it goes back, in seconds, while the device moves; 0 remembers nothing.
  init(memory: Float) {
    self.memory = memory
    stillMemory = Self.stillShare * memory
  }

  /// Starts anew from a sample.
  mutating func start(at force: Force) {
    origin = force
    way = 0
  }

  /// Takes in a sample.
  ///
  /// - Parameters:
  ///   - gravity: the slow filter's gravity.
  ///   - move: what the sample moved it by.
  ///   - isStill: whether the device is held still.
  ///   - elapsed: the time since the last one, in seconds.
  @inline(__always)
  mutating func update(gravity: Force, move: Force, isStill: Bool, elapsed: Float) {
    let fading = lowPassWeight(elapsed: elapsed, timeConstant: isStill ? stillMemory : memory)
    origin += fading * (gravity - origin)
    way += move.length
    way -= fading * way
  }

  /// The way beyond the straight line to where gravity is now, and beyond what is forgiven, in radians.
  func toAndFro(gravity: Force) -> Float {
    larger(way - (gravity - origin).length - Self.forgiven, 0)
  }
}
