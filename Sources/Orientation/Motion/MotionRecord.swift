// SPDX-License-Identifier: Apache-2.0

/// What the daemon sends over the motion socket: a sample or a state.
package struct MotionRecord: Equatable, Sendable {
  /// What it contains.
  package enum Content: Equatable, Sendable, BitwiseCopyable {
    /// A sample along the screen's axes (``ScreenFrame``), m/s^2, or rad/s of a gyroscope.
    case sample(x: Float, y: Float, z: Float)
    /// The state that the stream has entered.
    case state(MotionState)
  }

  /// The size of a record, in bytes.
  package static let byteCount = 32

  private static let sampleKind: UInt16 = 1
  private static let stateKind: UInt16 = 2

  /// The sensor whose stream it belongs to; nil if it concerns the connection.
  package var sensor: MotionSensor?
  /// How many samples of the stream were lost since its last record, because the program did not read them.
  package var lost: UInt32
  /// When the sample was taken, or the state entered.
  package var time: BootTime
  /// The sample or the state.
  package var content: Content

  /// Creates a record.
  package init(sensor: MotionSensor?, lost: UInt32 = 0, time: BootTime, content: Content) {
    self.sensor = sensor
    self.lost = lost
    self.time = time
    self.content = content
  }

  /// Reads a record; nil if it is none of this version, or of a kind, sensor or state that is not known.
  ///
  /// - Parameter bytes: the record, which need not be aligned.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count == Self.byteCount else { return nil }
    func field<Integer: FixedWidthInteger>(_ offset: Int, _: Integer.Type) -> Integer {
      Integer(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Integer.self))
    }
    func number(_ offset: Int) -> Float { Float(bitPattern: field(offset, UInt32.self)) }
    let sensorNumber = field(2, UInt16.self)
    sensor = MotionSensor(rawValue: sensorNumber)
    guard sensor != nil || sensorNumber == 0 else { return nil }
    lost = field(4, UInt32.self)
    time = BootTime(nanoseconds: Int64(bitPattern: field(8, UInt64.self)))
    switch field(0, UInt16.self) {
    case Self.sampleKind: content = .sample(x: number(16), y: number(20), z: number(24))
    case Self.stateKind:
      guard let state = MotionState(rawValue: field(28, UInt32.self)) else { return nil }
      content = .state(state)
    default: return nil
    }
  }

  /// Writes the record.
  ///
  /// - Parameter bytes: where to, with room for ``byteCount`` bytes; it need not be aligned.
  package func write(to bytes: UnsafeMutableRawPointer) {
    func store<Integer: FixedWidthInteger>(_ value: Integer, at offset: Int) {
      bytes.storeBytes(of: value.littleEndian, toByteOffset: offset, as: Integer.self)
    }
    store(sensor?.rawValue ?? 0 as UInt16, at: 2)
    store(lost, at: 4)
    store(UInt64(bitPattern: time.nanoseconds), at: 8)
    let numbers: (Float, Float, Float)
    switch content {
    case .sample(let x, let y, let z):
      numbers = (x, y, z)
      store(Self.sampleKind, at: 0)
      store(0 as UInt32, at: 28)
    case .state(let state):
      numbers = (0, 0, 0)
      store(Self.stateKind, at: 0)
      store(state.rawValue, at: 28)
    }
    store(numbers.0.bitPattern, at: 16)
    store(numbers.1.bitPattern, at: 20)
    store(numbers.2.bitPattern, at: 24)
  }
}
