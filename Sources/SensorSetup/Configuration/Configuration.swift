// SPDX-License-Identifier: Apache-2.0

package import IIO
package import Orientation

/// The administrator's settings: every key of orientationd.conf with its default.
package struct Configuration: Equatable, Sendable {
  /// `Sensor=`: which sensor to use.
  package var sensor = SensorRequest.automatic
  /// `SampleRate=`: how often to sample, in hertz.
  ///
  /// A turn by hand takes 0.3 s and more, so 25 Hz shows it in several samples.
  package var sampleRate = 25.0
  /// `AdaptSampleRate=`: how often a tablet is sampled that lies still; nil means always at the full rate.
  package var restPace: RestPace? = .slowing
  /// `MountMatrix=`: replaces the mount matrix from udev and the driver.
  package var mountMatrix: MountMatrix?
  /// `MountMatrixSource=`: whose mount matrix is used if udev and the driver have different ones.
  package var mountMatrixSource = MountMatrixSource.udev
  /// `ScaleFactor=`: what the accelerometer's readings are multiplied by, because its driver has a wrong scale.
  package var scaleFactor = 1.0
  /// `AxisConvention=`: the axes of the x and y rows of mount matrices.
  package var axisConvention = AxisConvention.proxy
  /// `FaceAxis=`: how the screen's z axis is determined.
  package var faceAxis = FaceAxis.auto
  /// `NaturalOrientation=`: the orientation of the device in which the panel is upright; nil if the panel shows it.
  package var naturalOrientation: NaturalOrientation?
  /// `LaptopOrientation=`: the orientation in which the device stands on a table as a laptop; nil if the panel shows it.
  package var laptopOrientation: NaturalOrientation?
  /// `InitialInterfaceOrientation=`: the interface orientation at the first start, never unknown; nil for that of a laptop, or else the
  /// natural one.
  ///
  /// If it is set, the orientation of the device at that start does not override it.
  package var initialInterfaceOrientation: InterfaceOrientation?
  /// `AlwaysOn=`: whether to generate notifications without subscribers.
  package var alwaysOn = false
  /// `SensorProxy=`: whether to provide iio-sensor-proxy's D-Bus interface too.
  package var sensorProxy = false
  /// `HardwareLock=`: whether the device's own switch and key set the rotation lock.
  package var hardwareLock = HardwareLock.automatic
  /// `TabletModeSwitch=`: whether the device's own switch sets the tablet mode.
  package var tabletModeSwitch = true
  /// `FollowIn=`: the mode in which the interface follows the device's orientation.
  package var followIn = FollowIn.always
  /// `MaxClients=`, `MaxClientsPerUser=` and `MaxBeginsPerClient=`.
  package var limits = ClientLimits()
  /// `Responsiveness=`, `Hysteresis=`, `FilterTimeConstant=` and `HandlingMemory=`.
  package var pipeline = PipelineSettings()

  /// The defaults.
  package init() {}

  /// The section of all keys; a file may omit its header.
  static let section = "Orientation"

  /// Applies the entries of a file.
  ///
  /// If one is wrong, this is reported, and the previous value stays.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - path: its path.
  ///   - running: the present configuration of a service that reads its configuration again: a key with a wrong value keeps
  ///     its value from there.
  /// - Returns: the problems.
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

/// Which mount matrix is used of a sensor for which both have one: the values of `MountMatrixSource=`.
package enum MountMatrixSource: String, CaseIterable, Sendable {
  /// udev's hardware database, in which a wrong one of the firmware is corrected.
  case udev
  /// The driver, which has it from the firmware.
  case driver
}

/// Which of the device's own controls set the rotation lock: the values of `HardwareLock=`.
package enum HardwareLock: String, Sendable {
  /// The switch; and the key, unless the service serves a desktop by iio-sensor-proxy's interface.
  ///
  /// Such a desktop has a rotation lock of its own, and toggles that with the key. If both locks were toggled while one of them is
  /// on, each press would leave the other one on.
  case automatic = "auto"
  /// Both.
  case switchAndKey = "yes"
  /// The switch: no desktop handles it.
  case switchOnly = "switch"
  /// None.
  case ignored = "no"
}

/// How many clients may request notifications, and how often: far more than a desktop needs.
package struct ClientLimits: Equatable, Sendable {
  /// `MaxClients=`: the number of clients of all users.
  package var clients = 256
  /// `MaxClientsPerUser=`: the number of clients of one user, so that no user can exclude the others.
  package var clientsPerUser = 64
  /// `MaxBeginsPerClient=`: how often one client may call Begin without an End.
  package var beginsPerClient = 64

  /// The defaults.
  package init() {}
}

extension ConfigurationEntry {
  /// The key of the entry.
  ///
  /// - Throws: ``InvalidValue`` if there is no such key.
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
