// SPDX-License-Identifier: Apache-2.0

import DaemonClient
import IIO
import Orientation
import SensorSetup
import TestSupport
import Testing

@testable import OrientationctlKit

@Suite("The result of a calibration for udev")
struct CalibrationResultTests {
  /// For the hub as the tests have it mounted.
  private let matrix = "0, 0, 1; -1, 0, 0; 0, 1, 0"

  private func sensor(_ matrix: String?) -> SensorDescription {
    var sensor = SensorDescription(id: "iio:device0", name: "accel_3d", isAccelerometer: true)
    sensor.udev = UdevProperties(mountMatrix: matrix)
    return sensor
  }

  private func result(udev: String?, isOverridden: Bool) throws -> CalibrationResult {
    var poses = PoseReadings(expectedSign: .gravity)
    for pose in CalibrationPose.allCases {
      try poses.take(ChipMounting.all[7].reading(of: pose.heldUpBy, .gravity), as: pose)
    }
    return try CalibrationResult(
      try #require(poses.calibration), of: sensor(udev), configuration: Configuration(), natural: .portrait,
      isOverridden: isOverridden)
  }

  @Test("is by udev's matrix, and says which one counts before it")
  func overridden() throws {
    for udev in [matrix, nil] {
      let plain = try result(udev: udev, isOverridden: false)
      let overridden = try result(udev: udev, isOverridden: true)
      for result in [plain, overridden] {
        #expect("\(result.matrix)" == matrix)
        #expect(result.isRightAlready == (udev != nil))
      }
      #expect(plain.notes.isEmpty)
      #expect(plain.whenRight == "The matrix in use is already right: there is nothing to change.")
      #expect(overridden.notes.count == 1)
      let note = overridden.notes.first ?? ""
      #expect(note.contains("which counts before\nudev's."))
      #expect(note.hasSuffix("\n    orientationctl calibrate --reset"))
      #expect(tooWide(note).isEmpty)
    }
    #expect(
      try result(udev: matrix, isOverridden: true).whenRight
        == "udev's matrix is already right: there is nothing to change in udev.")
  }

  @Test("does not say that orientationd uses udev's matrix at once where it does not")
  func effect() {
    #expect(HwdbTarget.whenItTakesEffect(isOverridden: false).hasPrefix("orientationd uses it at once; "))
    let text = "udev has it now. \(HwdbTarget.whenItTakesEffect(isOverridden: true))"
    #expect(text.hasPrefix("udev has it now. orientationd goes on with the matrix that was set;\n"))
    #expect(tooWide(text).isEmpty)
  }

  @Test("takes a matrix for set only if the daemon says so of this sensor")
  func matrixThatWasSet() {
    var daemon = DeviceSnapshot()
    daemon.sensorName = "accel_3d (iio:device0)"
    daemon.mountMatrix = matrix
    for (source, isSet) in [
      ("calibration", true), ("preview", true), ("udev", false), ("configuration", false), ("", false),
      ("x", false),
    ] {
      daemon.mountMatrixSource = source
      #expect((daemon.matrixSet(for: sensor(nil)) != nil) == isSet, "\(source)")
    }
    daemon.mountMatrixSource = "calibration"
    daemon.sensorName = "accel_3d (iio:device1)"
    #expect(daemon.matrixSet(for: sensor(nil)) == nil)
  }
}
