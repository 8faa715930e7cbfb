// SPDX-License-Identifier: Apache-2.0

import IIO
import Orientation

/// Why a key does not accept a value.
struct InvalidValue: Error, Equatable {
  let reason: String
}

/// The keys of the configuration, and their values.
package enum ConfigurationKey: String, CaseIterable {
  case sensor = "Sensor"
  case sampleRate = "SampleRate"
  case adaptSampleRate = "AdaptSampleRate"
  case mountMatrix = "MountMatrix"
  case mountMatrixSource = "MountMatrixSource"
  case scaleFactor = "ScaleFactor"
  case axisConvention = "AxisConvention"
  case faceAxis = "FaceAxis"
  case naturalOrientation = "NaturalOrientation"
  case laptopOrientation = "LaptopOrientation"
  case initialInterfaceOrientation = "InitialInterfaceOrientation"
  case alwaysOn = "AlwaysOn"
  case sensorProxy = "SensorProxy"
  case hardwareLock = "HardwareLock"
  case tabletModeSwitch = "TabletModeSwitch"
  case followIn = "FollowIn"
  case responsiveness = "Responsiveness"
  case hysteresis = "Hysteresis"
  case filterTimeConstant = "FilterTimeConstant"
  case handlingMemory = "HandlingMemory"
  case maxClients = "MaxClients"
  case maxClientsPerUser = "MaxClientsPerUser"
  case maxBeginsPerClient = "MaxBeginsPerClient"

  /// Checks a value and stores it.
  func apply(_ value: String, to configuration: inout Configuration) throws(InvalidValue) {
    switch self {
    case .sensor:
      guard let sensor = SensorRequest(parsing: value) else {
        throw expected("auto, NAME, replay:FILE, simulated, ip:HOST or iio:URI", value)
      }
      configuration.sensor = sensor
    case .sampleRate: configuration.sampleRate = try number(value, in: 5...200, unit: "Hz")
    case .adaptSampleRate: configuration.restPace = try restPace(value)
    case .mountMatrix: configuration.mountMatrix = try matrix(value)
    case .mountMatrixSource: configuration.mountMatrixSource = try choice(value)
    case .scaleFactor: configuration.scaleFactor = try number(value, in: 0.001...1000)
    case .axisConvention: configuration.axisConvention = try choice(value)
    case .faceAxis: configuration.faceAxis = try choice(value)
    case .naturalOrientation: configuration.naturalOrientation = try choice(value)
    case .laptopOrientation: configuration.laptopOrientation = try choice(value)
    case .initialInterfaceOrientation:
      configuration.initialInterfaceOrientation = try interfaceOrientation(value)
    case .alwaysOn: configuration.alwaysOn = try boolean(value)
    case .sensorProxy: configuration.sensorProxy = try boolean(value)
    case .hardwareLock: configuration.hardwareLock = try boolean(value)
    case .tabletModeSwitch: configuration.tabletModeSwitch = try boolean(value)
    case .followIn: configuration.followIn = try choice(value)
    case .responsiveness: configuration.pipeline.responsiveness = try choice(value)
    case .hysteresis:
      configuration.pipeline.hysteresis = Angle(degrees: try number(value, in: 0...40, unit: "degrees"))
    case .filterTimeConstant:
      configuration.pipeline.filterTimeConstantSeconds = try number(value, in: 0...2, unit: "seconds")
    case .handlingMemory:
      configuration.pipeline.handlingMemorySeconds = try number(value, in: 0...60, unit: "seconds")
    case .maxClients: configuration.limits.clients = try count(value, of: "clients", in: 1...4096)
    case .maxClientsPerUser:
      configuration.limits.clientsPerUser = try count(value, of: "clients", in: 1...4096)
    case .maxBeginsPerClient:
      configuration.limits.beginsPerClient = try count(value, of: "calls", in: 1...65536)
    }
  }

  /// The value as it is written in a file; ``apply(_:to:)`` accepts it.
  package func text(in configuration: Configuration) -> String {
    switch self {
    case .sensor: configuration.sensor.description
    case .sampleRate: text(configuration.sampleRate)
    case .adaptSampleRate:
      switch configuration.restPace {
      case .slowing: "yes"
      case .prompt: Self.prompt
      case nil: "no"
      }
    case .mountMatrix: configuration.mountMatrix.map { $0.description } ?? ""
    case .mountMatrixSource: configuration.mountMatrixSource.rawValue
    case .scaleFactor: text(configuration.scaleFactor)
    case .axisConvention: configuration.axisConvention.rawValue
    case .faceAxis: configuration.faceAxis.rawValue
    case .naturalOrientation: configuration.naturalOrientation.rawValue
    case .laptopOrientation: configuration.laptopOrientation.rawValue
    case .initialInterfaceOrientation: configuration.initialInterfaceOrientation.map { $0.name } ?? ""
    case .alwaysOn: text(configuration.alwaysOn)
    case .sensorProxy: text(configuration.sensorProxy)
    case .hardwareLock: text(configuration.hardwareLock)
    case .tabletModeSwitch: text(configuration.tabletModeSwitch)
    case .followIn: configuration.followIn.rawValue
    case .responsiveness: configuration.pipeline.responsiveness.rawValue
    case .hysteresis: text(configuration.pipeline.hysteresis.degrees)
    case .filterTimeConstant: text(configuration.pipeline.filterTimeConstantSeconds)
    case .handlingMemory: text(configuration.pipeline.handlingMemorySeconds)
    case .maxClients: "\(configuration.limits.clients)"
    case .maxClientsPerUser: "\(configuration.limits.clientsPerUser)"
    case .maxBeginsPerClient: "\(configuration.limits.beginsPerClient)"
    }
  }

  /// Copies the value from another configuration.
  func copy(from other: Configuration, to configuration: inout Configuration) {
    // A key always accepts its own text.
    try? apply(text(in: other), to: &configuration)
  }

  private func text(_ number: Double) -> String { Int(exactly: number).map { "\($0)" } ?? "\(number)" }

  private func text(_ truth: Bool) -> String { truth ? "yes" : "no" }

  private func expected(_ what: String, _ value: String) -> InvalidValue {
    InvalidValue(reason: "\(rawValue)= takes \(what), not '\(value)'")
  }

  private func number(
    _ value: String, in range: ClosedRange<Double>, unit: String? = nil
  ) throws(InvalidValue) -> Double {
    guard let number = Double(numeral: value), range.contains(number) else {
      let what = unit.map { "a number of \($0)" } ?? "a number"
      throw expected("\(what) from \(text(range.lowerBound)) to \(text(range.upperBound))", value)
    }
    return number
  }

  private func count(
    _ value: String, of things: String, in range: ClosedRange<Int>
  ) throws(InvalidValue) -> Int {
    guard let count = Int(value), range.contains(count) else {
      throw expected("a number of \(things) from \(range.lowerBound) to \(range.upperBound)", value)
    }
    return count
  }

  private func choice<Choice>(_ value: String) throws(InvalidValue) -> Choice
  where Choice: CaseIterable & RawRepresentable<String> {
    guard let choice = Choice(rawValue: value) else {
      throw expected(Choice.allCases.map { $0.rawValue }.joined(separator: " or "), value)
    }
    return choice
  }

  /// The pace of a rest that never slows down.
  private static let prompt = "prompt"

  /// Parses a boolean, or how often a tablet at rest is read.
  private func restPace(_ value: String) throws(InvalidValue) -> RestPace? {
    if value == Self.prompt { return .prompt }
    do throws(InvalidValue) {
      return try boolean(value) ? .slowing : nil
    } catch {
      throw expected("yes, prompt or no", value)
    }
  }

  /// Parses a boolean in any of systemd's spellings.
  private func boolean(_ value: String) throws(InvalidValue) -> Bool {
    switch value {
    case "yes", "true", "on", "1", "y", "t": return true
    case "no", "false", "off", "0", "n", "f": return false
    default: throw expected("yes or no", value)
    }
  }

  /// Parses the name of an orientation that an interface can have; an empty value resets an earlier one.
  private func interfaceOrientation(_ value: String) throws(InvalidValue) -> InterfaceOrientation? {
    guard !value.isEmpty else { return nil }
    guard let orientation = InterfaceOrientation(name: value), orientation != .unknown else {
      throw expected("portrait or portraitUpsideDown or landscapeLeft or landscapeRight", value)
    }
    return orientation
  }

  /// Parses a matrix; an empty value resets an earlier one.
  private func matrix(_ value: String) throws(InvalidValue) -> MountMatrix? {
    guard !value.isEmpty else { return nil }
    do throws(MountMatrixError) {
      return try MountMatrix(parsing: value)
    } catch {
      throw InvalidValue(reason: error.description)
    }
  }
}
