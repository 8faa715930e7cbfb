// SPDX-License-Identifier: Apache-2.0

import IIO
import Orientation
import SensorSetup

/// What a calibration found, beside what is in use, for a person.
struct CalibrationReport {
  /// The matrix that was found.
  let matrix: MountMatrix

  private let sensor: SensorDescription
  private let configuration: Configuration
  private let calibration: Calibration
  private let inUse: Mounting
  private let beneath: Mounting

  /// Puts the finding beside what holds now.
  ///
  /// - Throws: `MountMatrixError`; never in fact.
  init(
    _ calibration: Calibration, of sensor: SensorDescription, configuration: Configuration,
    natural: NaturalOrientation
  ) throws(MountMatrixError) {
    self.sensor = sensor
    self.configuration = configuration
    self.calibration = calibration
    inUse = Mounting(of: sensor, configuration: configuration, natural: natural)
    var others = configuration
    others.mountMatrix = nil
    beneath = Mounting(of: sensor, configuration: others, natural: natural)
    matrix = try calibration.mountMatrix(
      convention: configuration.axisConvention, faceAxis: configuration.faceAxis)
  }

  /// The matrix in use and from where, for a person.
  static func inUse(_ mounting: Mounting) -> String {
    mounting.origin.map { "\(mounting.matrix) from \($0)" } ?? "none"
  }

  /// The matrices, and which axis of the sensor is which of the screen.
  var text: String {
    var table = FieldTable(indentation: "  ")
    table.add("Mount matrix", "\(matrix)")
    table.add("In use", Self.inUse(inUse))
    table.add("Screen axes", ScreenAxes(of: axes).text)
    return table.text
  }

  /// Whether the matrix in use, and that of udev or the driver where another one hides it, give the right answers already.
  var isRightAlready: Bool { isRight(inUse.matrix) && isRight(beneath.matrix) }

  /// What a person should know about the matrix beyond its lines, a sentence or two each.
  var notes: [String] {
    var notes: [String] = []
    if configuration.mountMatrix != nil {
      notes.append(
        """
        The configuration of orientationd has a MountMatrix=, which goes before udev's. Remove it there,
        `systemctl reload orientationd`, and the matrix of udev holds.
        """)
    }
    if configuration.axisConvention == .kernel {
      notes.append(
        """
        The configuration of orientationd has AxisConvention=kernel, so this matrix leads to the axes of the kernel's
        document. iio-sensor-proxy takes it for the opposite, and shows the picture upside down. For a matrix that
        serves both, remove AxisConvention=, `systemctl reload orientationd` and calibrate again.
        """)
    }
    if calibration.sign != sensor.sign && configuration.faceAxis == .auto {
      notes.append(
        """
        All poses, taken twice, say that this sensor reads gravity with the opposite sign of its kind. So that
        orientationd does not take screen up for screen down, put FaceAxis=as-read into its configuration.
        """)
    }
    return notes
  }

  /// From the sensor's axes to the screen's, as the poses have it.
  private var axes: ScreenTransform {
    ScreenTransform(
      matrix: matrix, convention: configuration.axisConvention,
      faceAxis: configuration.faceAxis == .auto ? .asRead : configuration.faceAxis, sign: calibration.sign)
  }

  /// Whether orientationd gets each pose right by a matrix.
  private func isRight(_ matrix: MountMatrix) -> Bool {
    let transform = ScreenTransform(
      matrix: matrix, convention: configuration.axisConvention, faceAxis: configuration.faceAxis,
      sign: sensor.sign)
    return CalibrationPose.allCases.allSatisfy { pose in
      let read = calibration.halfAxis(of: pose)
      let seen = transform(Acceleration(x: read.x, y: read.y, z: read.z))
      let wanted =
        switch pose {
        case .rightEdgeUp: seen.x
        case .upright: seen.y
        case .flat: seen.z
        }
      // Within 25 degrees, whatever the matrix scales by.
      return wanted > 0.9 * seen.magnitudeSquared.squareRoot()
    }
  }
}
