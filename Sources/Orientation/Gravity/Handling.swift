// SPDX-License-Identifier: Apache-2.0

/// How much the device was turned to and fro in the last seconds, in radians.
///
/// This is the path of gravity's direction across the screen's axes, minus the straight line from its start. A turn from one
/// pose to another is not to and fro, however far it is; waving, tumbling and figures of eight are. The path and the start
/// fade at the same rate. Only what is across gravity counts: the bounce of a person who walks changes its length.
///
/// When the user holds the device still, the movement is over, and it fades faster. So turns with a rest after each count
/// as single turns, however many there are.
struct Handling {
  /// The path to and fro that is ignored, in radians: less than this are a turn with half a turn back, the sway of a
  /// person who walks, and noise of 50 mg at 25 Hz until it is learned (``NoiseFloor``).
  private static let forgiven: Float = 3.25

  /// How much shorter the memory is while the device is held still.
  ///
  /// With the default memory, it is 0.7 s: after a turn there and back, a second's rest leaves less than the part that is
  /// ignored. Measured with random turns, rests of a second and more, and tremor (`FidgetingTests`): 99 of 100 are
  /// announced within 0.33 s of their end, and within 0.54 s with one memory for both cases. From a tenth to a third, it
  /// makes little difference.
  private static let stillShare: Float = 0.2

  private let memory: Float
  private let stillMemory: Float
  private var way: Float = 0
  private var origin = Force()

  /// Creates a record without movements.
  ///
  /// - Parameter memory: how long movements are remembered, in seconds, while the device moves; with 0, nothing is.
  init(memory: Float) {
    self.memory = memory
    stillMemory = Self.stillShare * memory
  }

  /// Starts again from a sample.
  mutating func start(at force: Force) {
    origin = force
    way = 0
  }

  /// Updates the record with a sample.
  ///
  /// - Parameters:
  ///   - gravity: the slow filter's gravity.
  ///   - move: how much the sample moved it.
  ///   - squaredNoise: the square of a move across gravity that the sensor's noise rarely exceeds.
  ///   - isStill: whether the device is held still.
  ///   - elapsed: the time since the previous sample, in seconds.
  @inline(__always)
  mutating func update(gravity: Force, move: Force, squaredNoise: Float, isStill: Bool, elapsed: Float) {
    let fading = lowPassWeight(elapsed: elapsed, timeConstant: isStill ? stillMemory : memory)
    origin += fading * (gravity - origin)
    // As if gravity's length were one: with its real length, the figures of the recordings are the same within their noise.
    let along = (move * gravity).total
    way += larger(move.squaredLength - along * along - squaredNoise, 0).squareRoot()
    way -= fading * way
  }

  /// The path minus the straight line to the present gravity, and minus the part that is ignored, in radians.
  func toAndFro(gravity: Force) -> Float {
    larger(way - (gravity - origin).length - Self.forgiven, 0)
  }
}
