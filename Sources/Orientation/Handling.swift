// SPDX-License-Identifier: Apache-2.0

/// How much the device was turned to and fro lately, in radians.
///
/// Gravity's way across the screen's axes in the last seconds, less the straight line from where it was: a turn from one
/// pose to another is no to and fro, however far; waving, tumbling and figures of eight are. Both the way and the starting
/// point fade alike, so the way is never shorter than the line.
struct Handling {
  /// The way to and fro that is forgiven, in radians: turning the device once and half back, walking with it, and
  /// a noise of 50 mg at 25 Hz all stay below.
  private static let forgiven: Float = 3.5

  private let memory: Float
  private var way: Float = 0
  private var origin = Force()

  /// Creates a record without a past.
  ///
  /// - Parameter memory: how long it goes back, in seconds; 0 remembers nothing.
  init(memory: Float) {
    self.memory = memory
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
  ///   - elapsed: the time since the last one, in seconds.
  @inline(__always)
  mutating func update(gravity: Force, move: Force, elapsed: Float) {
    let fading = lowPassWeight(elapsed: elapsed, timeConstant: memory)
    origin += fading * (gravity - origin)
    way += move.length
    way -= fading * way
  }

  /// The way beyond the straight line to where gravity is now, and beyond what is forgiven, in radians.
  func toAndFro(gravity: Force) -> Float {
    larger(way - (gravity - origin).length - Self.forgiven, 0)
  }
}
