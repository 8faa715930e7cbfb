// SPDX-License-Identifier: Apache-2.0

public import Orientation

/// The source that a ``SensorRequest`` led to, found but not opened: nothing is powered by it.
public enum SensorSelection: Equatable, Sendable {
  /// An accelerometer of this machine.
  case device(SensorDescription)
  /// An accelerometer of another machine.
  case networkDevice(SensorDescription, host: String)
  /// A recording.
  case recording(path: String)
  /// The simulated tablet.
  case simulated

  /// The axes in which a source delivers.
  public enum Axes: Equatable, Sendable {
    /// The chip's own: a mount matrix, and the sign of its readings, lead to those of the screen.
    case chip(mountMatrix: String?, sign: SignConvention)
    /// Those of the screen already.
    case screen
  }

  /// The way in which a sensor's samples are fetched.
  public enum Delivery: Equatable, Sendable {
    /// Through the buffer if the sensor has one that works, else polled.
    case bufferedIfPossible
    /// Polled, because the buffer was silent.
    case polled
  }

  /// Finds the source for a request.
  ///
  /// - Parameters:
  ///   - request: what is wanted.
  ///   - udev: asked for each IIO device of this machine.
  /// - Throws: ``SourceError/noAccelerometer(devices:)``, ``SourceError/noSuchSensor(wanted:available:)``, or
  ///   what keeps sysfs or iiod from being read.
  public init(_ request: SensorRequest, udev: UdevLookup) throws(SourceError) {
    switch request {
    case .automatic:
      self = .device(try Self.choose(among: try Self.localSensors(udev: udev), wanted: nil))
    case .named(let wanted):
      self = .device(try Self.choose(among: try Self.localSensors(udev: udev), wanted: wanted))
    case .network(let host):
      let context = try IIOContext.network(host: host, timeoutMilliseconds: NetworkSource.timeoutMilliseconds)
      let sensors = context.sensors { _ in UdevProperties() }
      self = .networkDevice(try Self.choose(among: sensors, wanted: nil), host: host)
    case .replay(let path): self = .recording(path: path)
    case .simulated: self = .simulated
    }
  }

  /// Describes every IIO device of this machine; an empty list where the kernel has no IIO.
  ///
  /// - Parameter udev: asked for each device.
  /// - Returns: the devices in the kernel's order.
  /// - Throws: ``SourceError`` when sysfs cannot be read.
  public static func localSensors(udev: UdevLookup) throws(SourceError) -> [SensorDescription] {
    guard let context = try IIOContext.local() else { return [] }
    return context.sensors(udev: udev)
  }

  private static func choose(
    among sensors: [SensorDescription], wanted: String?
  ) throws(SourceError) -> SensorDescription {
    if let used = SensorCatalog(choosingAmong: sensors, wanted: wanted).used { return used.sensor }
    guard let wanted else { throw .noAccelerometer(devices: sensors.map(\.displayName)) }
    throw .noSuchSensor(wanted: wanted, available: sensors.filter(\.isAccelerometer).map(\.displayName))
  }

  /// The source's name for people.
  public var name: String {
    switch self {
    case .device(let sensor): sensor.displayName
    case .networkDevice(let sensor, let host): "\(sensor.displayName) at \(host)"
    case .recording(let path): "replay of \(path)"
    case .simulated: "simulated tablet"
    }
  }

  /// The axes in which the source delivers.
  public var axes: Axes {
    switch self {
    case .device(let sensor), .networkDevice(let sensor, host: _):
      .chip(mountMatrix: sensor.mountMatrix, sign: sensor.sign)
    case .recording, .simulated: .screen
    }
  }

  /// Opens the source, and powers the sensor behind it.
  ///
  /// - Parameters:
  ///   - rate: the wanted rate in hertz.
  ///   - delivery: whether a sensor's buffer is tried.
  /// - Returns: the source, running.
  /// - Throws: ``SourceError``, as the source's own initializer does.
  public func open(rate: Double, delivery: Delivery = .bufferedIfPossible) throws(SourceError) -> OpenSource {
    switch self {
    case .device(let sensor):
      if delivery == .bufferedIfPossible, sensor.buffering != .none {
        do throws(SourceError) {
          return .buffered(try BufferedSource(sensor, rate: rate))
        } catch {
          // What else keeps the buffer from being used keeps the attributes from being read, or must be told.
          switch error {
          case .noBuffer, .busy: break
          default: throw error
          }
        }
      }
      return .polled(try PolledSource(sensor, rate: rate))
    case .networkDevice(let sensor, let host):
      return .network(try NetworkSource(sensor, host: host, rate: rate))
    case .recording(let path):
      return .replay(ReplaySource(try Recording(contentsOf: path), rate: rate))
    case .simulated:
      return .simulated(SimulatedSource(rate: rate))
    }
  }
}
