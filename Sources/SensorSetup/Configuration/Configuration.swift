// SPDX-License-Identifier: Apache-2.0

public import IIO
public import Orientation

/// What the administrator decides: every key of orientationd.conf with its default.
public struct Configuration: Equatable, Sendable {
  /// `Sensor=`: which sensor to use.
  public var sensor = SensorRequest.automatic
  /// `SampleRate=`: how often to sample, in hertz.
  ///
  /// 25 Hz sees a turn of the hand, which takes 0.3 s and more, in several samples.
  public var sampleRate = 25.0
  /// `AdaptSampleRate=`: whether to sample less while the tablet lies still.
  public var adaptSampleRate = true
  /// `MountMatrix=`: overrides what udev and the driver say of how the chip is mounted.
  public var mountMatrix: MountMatrix?
  /// `AxisConvention=`: which axes the x and y rows of mount matrices lead to.
  public var axisConvention = AxisConvention.proxy
  /// `FaceAxis=`: where the screen's z axis is taken from.
  public var faceAxis = FaceAxis.auto
  /// `NaturalOrientation=`: where the orientation of the device comes from in which the panel stands upright.
  public var naturalOrientation = NaturalOrientationChoice.auto
  /// `InitialInterfaceOrientation=`: the interface orientation at the first start, never unknown; nil for the natural one.
  ///
  /// Where it is set, the way the device happens to lie at that start does not override it.
  public var initialInterfaceOrientation: InterfaceOrientation?
  /// `AlwaysOn=`: whether to generate without a client that asks for it.
  public var alwaysOn = false
  /// `SensorProxy=`: whether to serve iio-sensor-proxy's D-Bus interface, too.
  public var sensorProxy = false
  /// `HardwareLock=`: whether the device's own switch and key for it act on the rotation lock.
  public var hardwareLock = true
  /// `FollowIn=`: in which mode the interface follows the device's orientation.
  public var followIn = FollowIn.always
  /// `MaxClients=`, `MaxClientsPerUser=` and `MaxBeginsPerClient=`.
  public var limits = ClientLimits()
  /// `Responsiveness=`, `Hysteresis=`, `FilterTimeConstant=` and `HandlingMemory=`.
  public var pipeline = PipelineSettings()

  /// The defaults.
  public init() {}

  /// The section that holds every key; a file may leave its header out.
  static let section = "Orientation"

  /// Takes over the entries of a file; what is wrong with one is reported, and the value from before holds.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - path: where it lies.
  ///   - running: what holds so far, where a service that runs reads its configuration anew: a key with a wrong value keeps
  ///     its value in there.
  /// - Returns: what is wrong.
  mutating func apply(
    _ file: IniFile, path: String, keeping running: Configuration? = nil
  ) -> [ConfigurationProblem] {
    var problems = file.problems
    for entry in file.entries {
      var outcome = "ignored"
      do throws(InvalidValue) {
        let key = try entry.configurationKey()
        if let running {
          key.copy(from: running, to: &self)
          outcome = "the old value is kept"
        }
        try key.apply(entry.value, to: &self)
      } catch {
        guard problems.count <= IniFile.mostProblems else { continue }
        let isLast = problems.count == IniFile.mostProblems
        problems.append(
          ConfigurationProblem(
            path: path, line: isLast ? nil : entry.line,
            reason: isLast ? "further wrong lines are ignored" : "\(error.reason); \(outcome)"))
      }
    }
    return problems
  }
}

extension ConfigurationEntry {
  /// The key that the entry is about.
  ///
  /// - Throws: ``InvalidValue`` where there is no such key.
  func configurationKey() throws(InvalidValue) -> ConfigurationKey {
    guard section == Configuration.section || section.isEmpty else {
      throw InvalidValue(
        reason:
          "'\(key)' is in the unknown section [\(section)]: all keys belong into [\(Configuration.section)]")
    }
    guard let known = ConfigurationKey(rawValue: key) else {
      let keys = ConfigurationKey.allCases.map { $0.rawValue }.joined(separator: ", ")
      throw InvalidValue(reason: "unknown key '\(key)'; the keys are \(keys)")
    }
    return known
  }
}
