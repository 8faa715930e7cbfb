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
    _ = try pass(value, to: &configuration)
  }

  /// The value as it is written in a file; ``apply(_:to:)`` accepts it.
  package func text(in configuration: Configuration) -> String {
    var configuration = configuration
    // Without a value, there is nothing to refuse.
    return (try? pass(nil, to: &configuration)) ?? ""
  }

  /// Copies the value from another configuration.
  func copy(from other: Configuration, to configuration: inout Configuration) {
    // A key always accepts its own text.
    try? apply(text(in: other), to: &configuration)
  }

  /// Checks a value and stores it, unless it is nil; returns the present value as it is written in a file.
  private func pass(
    _ value: String?, to configuration: inout Configuration
  ) throws(InvalidValue) -> String {
    switch self {
    case .sensor:
      let form = "auto, NAME, replay:FILE, simulated, ip:HOST or iio:URI"
      return try pass(value, to: &configuration.sensor, form, SensorRequest.init(parsing:)) { $0.description }
    case .sampleRate: return try number(value, &configuration.sampleRate, in: 5...200, unit: "Hz")
    case .adaptSampleRate:
      return try pass(value, to: &configuration.restPace, "yes, prompt or no", restPace) {
        $0 == .prompt ? Self.prompt : text($0 != nil)
      }
    case .mountMatrix: return try matrix(value, &configuration.mountMatrix)
    case .mountMatrixSource: return try choice(value, &configuration.mountMatrixSource)
    case .scaleFactor: return try number(value, &configuration.scaleFactor, in: 0.001...1000)
    case .axisConvention: return try choice(value, &configuration.axisConvention)
    case .faceAxis: return try choice(value, &configuration.faceAxis)
    case .naturalOrientation: return try choice(value, &configuration.naturalOrientation, or: "auto")
    case .laptopOrientation: return try choice(value, &configuration.laptopOrientation, or: "auto")
    case .initialInterfaceOrientation:
      return try interfaceOrientation(value, &configuration.initialInterfaceOrientation)
    case .alwaysOn: return try boolean(value, &configuration.alwaysOn)
    case .sensorProxy: return try boolean(value, &configuration.sensorProxy)
    case .hardwareLock:
      return try pass(value, to: &configuration.hardwareLock, "auto, yes, switch or no", hardwareLock) {
        $0.rawValue
      }
    case .tabletModeSwitch: return try boolean(value, &configuration.tabletModeSwitch)
    case .followIn: return try choice(value, &configuration.followIn)
    case .responsiveness: return try choice(value, &configuration.pipeline.responsiveness)
    case .hysteresis:
      var degrees = configuration.pipeline.hysteresis.degrees
      defer { configuration.pipeline.hysteresis = Angle(degrees: degrees) }
      return try number(value, &degrees, in: 0...40, unit: "degrees")
    case .filterTimeConstant:
      return try number(value, &configuration.pipeline.filterTimeConstantSeconds, in: 0...2, unit: "seconds")
    case .handlingMemory:
      return try number(value, &configuration.pipeline.handlingMemorySeconds, in: 0...60, unit: "seconds")
    case .maxClients: return try count(value, &configuration.limits.clients, of: "clients", in: 1...4096)
    case .maxClientsPerUser:
      return try count(value, &configuration.limits.clientsPerUser, of: "clients", in: 1...4096)
    case .maxBeginsPerClient:
      return try count(value, &configuration.limits.beginsPerClient, of: "calls", in: 1...65536)
    }
  }

  /// Passes a value of any type.
  ///
  /// - Parameters:
  ///   - value: the text.
  ///   - stored: where it belongs.
  ///   - form: what the key takes.
  ///   - parse: reads a text; nil if it is wrong.
  ///   - text: writes a value.
  /// - Returns: the text of the present value.
  /// - Throws: ``InvalidValue``
  private func pass<Value>(
    _ value: String?, to stored: inout Value, _ form: String, _ parse: (String) -> Value?,
    _ text: (Value) -> String
  ) throws(InvalidValue) -> String {
    if let value {
      guard let new = parse(value) else {
        throw InvalidValue(reason: "\(rawValue)= takes \(form), not '\(value)'")
      }
      stored = new
    }
    return text(stored)
  }

  private func number(
    _ value: String?, _ stored: inout Double, in range: ClosedRange<Double>, unit: String? = nil
  ) throws(InvalidValue) -> String {
    let what = unit.map { "a number of \($0)" } ?? "a number"
    let form = "\(what) from \(text(range.lowerBound)) to \(text(range.upperBound))"
    return try pass(
      value, to: &stored, form, { Double(numeral: $0).flatMap { range.contains($0) ? $0 : nil } }, text)
  }

  private func count(
    _ value: String?, _ stored: inout Int, of things: String, in range: ClosedRange<Int>
  ) throws(InvalidValue) -> String {
    let form = "a number of \(things) from \(range.lowerBound) to \(range.upperBound)"
    return try pass(
      value, to: &stored, form, { Int($0).flatMap { range.contains($0) ? $0 : nil } }, { "\($0)" })
  }

  private func choice<Choice>(_ value: String?, _ stored: inout Choice) throws(InvalidValue) -> String
  where Choice: CaseIterable & RawRepresentable<String> {
    let form = Choice.allCases.map { $0.rawValue }.joined(separator: " or ")
    return try pass(value, to: &stored, form, { Choice(rawValue: $0) }, { $0.rawValue })
  }

  /// Passes one of the names, or the word for none of them.
  private func choice<Choice>(
    _ value: String?, _ stored: inout Choice?, or none: String
  ) throws(InvalidValue) -> String where Choice: CaseIterable & RawRepresentable<String> {
    let form = ([none] + Choice.allCases.map { $0.rawValue }).joined(separator: " or ")
    return try pass(
      value, to: &stored, form, { $0 == none ? .some(nil) : Choice(rawValue: $0).map { .some($0) } },
      { $0.map { $0.rawValue } ?? none })
  }

  private func boolean(_ value: String?, _ stored: inout Bool) throws(InvalidValue) -> String {
    try pass(value, to: &stored, "yes or no", truth, text)
  }

  private func text(_ number: Double) -> String { Int(exactly: number).map { "\($0)" } ?? "\(number)" }

  private func text(_ truth: Bool) -> String { truth ? "yes" : "no" }

  /// Parses a boolean in any of systemd's spellings.
  private func truth(_ value: String) -> Bool? {
    switch value {
    case "yes", "true", "on", "1", "y", "t": true
    case "no", "false", "off", "0", "n", "f": false
    default: nil
    }
  }

  /// The pace of a rest that never slows down.
  private static let prompt = "prompt"

  /// Parses a boolean, or how often a tablet at rest is read.
  private func restPace(_ value: String) -> RestPace?? {
    value == Self.prompt ? .some(.prompt) : truth(value).map { $0 ? .slowing : nil }
  }

  /// Parses who has the switch and the key for the lock, in any of systemd's spellings of a boolean, too.
  private func hardwareLock(_ value: String) -> HardwareLock? {
    HardwareLock(rawValue: value) ?? truth(value).map { $0 ? .switchAndKey : .ignored }
  }

  /// Passes the name of an orientation that an interface can have; an empty value resets an earlier one.
  private func interfaceOrientation(
    _ value: String?, _ stored: inout InterfaceOrientation?
  ) throws(InvalidValue) -> String {
    let form = "portrait or portraitUpsideDown or landscapeLeft or landscapeRight"
    return try pass(
      value, to: &stored, form,
      { name -> InterfaceOrientation?? in
        if name.isEmpty { return .some(nil) }
        return InterfaceOrientation(name: name).flatMap { $0 == .unknown ? nil : .some($0) }
      }, { $0.map { $0.name } ?? "" })
  }

  /// Passes a matrix; an empty value resets an earlier one.
  private func matrix(_ value: String?, _ stored: inout MountMatrix?) throws(InvalidValue) -> String {
    do throws(MountMatrixError) {
      if let value { stored = value.isEmpty ? nil : try MountMatrix(parsing: value) }
    } catch {
      throw InvalidValue(reason: error.description)
    }
    return stored.map { $0.description } ?? ""
  }
}
