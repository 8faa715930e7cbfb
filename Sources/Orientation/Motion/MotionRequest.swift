// SPDX-License-Identifier: Apache-2.0

/// What a program asks of the motion socket.
package enum MotionRequest: Equatable, Sendable {
  /// To start a stream, or to change its interval.
  case start(MotionSensor, interval: MotionInterval)
  /// To end it.
  case stop(MotionSensor)

  /// The size of a request, in bytes.
  package static let byteCount = 16
  /// The first field, which is "ODM1" in memory.
  ///
  /// The digit is the version of the protocol.
  package static let version: UInt32 = 0x314d_444f

  private static let startKind: UInt16 = 1
  private static let stopKind: UInt16 = 2

  /// The sensor whose stream it concerns.
  package var sensor: MotionSensor {
    switch self {
    case .start(let sensor, _), .stop(let sensor): sensor
    }
  }

  /// Reads a request; nil if any field is invalid.
  ///
  /// - Parameter bytes: the request, which need not be aligned.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count == Self.byteCount else { return nil }
    func field<Integer: FixedWidthInteger>(_ offset: Int, _: Integer.Type) -> Integer {
      Integer(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Integer.self))
    }
    guard field(0, UInt32.self) == Self.version, field(12, UInt32.self) == 0,
      let sensor = MotionSensor(rawValue: field(6, UInt16.self))
    else { return nil }
    let interval = field(8, UInt32.self)
    switch field(4, UInt16.self) {
    case Self.startKind:
      guard let interval = MotionInterval(microseconds: interval) else { return nil }
      self = .start(sensor, interval: interval)
    case Self.stopKind:
      guard interval == 0 else { return nil }
      self = .stop(sensor)
    default: return nil
    }
  }

  /// Writes the request.
  ///
  /// - Parameter bytes: where to, with room for ``byteCount`` bytes; it need not be aligned.
  package func write(to bytes: UnsafeMutableRawPointer) {
    let (kind, interval): (UInt16, UInt32) =
      switch self {
      case .start(_, let interval): (Self.startKind, interval.microseconds)
      case .stop: (Self.stopKind, 0)
      }
    bytes.storeBytes(of: Self.version.littleEndian, toByteOffset: 0, as: UInt32.self)
    bytes.storeBytes(of: kind.littleEndian, toByteOffset: 4, as: UInt16.self)
    bytes.storeBytes(of: sensor.rawValue.littleEndian, toByteOffset: 6, as: UInt16.self)
    bytes.storeBytes(of: interval.littleEndian, toByteOffset: 8, as: UInt32.self)
    bytes.storeBytes(of: 0, toByteOffset: 12, as: UInt32.self)
  }
}

/// The wanted time between two samples of a stream.
package struct MotionInterval: Equatable, Comparable, Sendable, BitwiseCopyable {
  /// The limits, in microseconds: 200 samples a second, and one in ten seconds.
  package static let limits: ClosedRange<UInt32> = 5000...10_000_000

  /// The time in microseconds.
  package let microseconds: UInt32

  /// Creates an interval; nil if it is not within ``limits``.
  package init?(microseconds: UInt32) {
    guard Self.limits.contains(microseconds) else { return nil }
    self.microseconds = microseconds
  }

  /// The time in nanoseconds.
  package var nanoseconds: Int64 { Int64(microseconds) * 1000 }

  /// How many samples there are in a second.
  package var rate: Double { 1e6 / Double(microseconds) }

  /// Creates the interval within ``limits`` that is nearest to this one.
  ///
  /// - Parameter microseconds: any number.
  package init(nearestTo microseconds: Int64) {
    let limits = Self.limits
    self.microseconds = UInt32(min(max(microseconds, Int64(limits.lowerBound)), Int64(limits.upperBound)))
  }

  /// Orders by length.
  package static func < (shorter: Self, longer: Self) -> Bool { shorter.microseconds < longer.microseconds }
}
