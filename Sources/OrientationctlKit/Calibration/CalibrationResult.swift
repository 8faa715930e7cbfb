// SPDX-License-Identifier: Apache-2.0

import IIO
import Orientation
import SensorSetup

/// What the poses of a calibration show.
struct CalibrationResult {
  /// The matrix that was found.
  let matrix: MountMatrix
  /// The axes of the sensor along those of the screen; nil if they are not known.
  var screenAxes: ScreenAxes?
  /// Whether the matrix that would be replaced is right, and need not be.
  let isRightAlready: Bool
  /// What a user reads if it is right already.
  var whenRight = "The matrix in use is already right: there is nothing to change."
  /// What a user must know besides, a sentence or two each.
  var notes: [String] = []
}

extension CalibrationResult {
  /// Compares what was found with the matrix that the sensor has from udev, the driver or the configuration.
  ///
  /// - Parameters:
  ///   - calibration: what the poses show.
  ///   - sensor: the sensor.
  ///   - configuration: the daemon's.
  ///   - natural: the natural orientation of the panel.
  ///   - isOverridden: whether orientationd uses a matrix that a person has set, which counts before udev's.
  /// - Throws: `MountMatrixError`; never in practice.
  init(
    _ calibration: Calibration, of sensor: SensorDescription, configuration: Configuration,
    natural: NaturalOrientation, isOverridden: Bool
  ) throws(MountMatrixError) {
    matrix = try calibration.mountMatrix(
      convention: configuration.axisConvention, faceAxis: configuration.faceAxis)
    // From the sensor's axes to the screen's, by the poses.
    let axes = ScreenTransform(
      matrix: matrix, convention: configuration.axisConvention,
      faceAxis: configuration.faceAxis == .auto ? .asRead : configuration.faceAxis, sign: calibration.sign)
    screenAxes = ScreenAxes(of: axes)
    // That of udev or the driver must be right, too, if the configuration overrides it.
    var others = configuration
    others.mountMatrix = nil
    isRightAlready = [configuration, others].allSatisfy { settings in
      let mounting = Mounting(of: sensor, configuration: settings, natural: natural)
      return calibration.shows(
        ScreenTransform(
          matrix: mounting.matrix, convention: configuration.axisConvention, faceAxis: configuration.faceAxis,
          sign: sensor.sign))
    }
    // Where nothing is changed, nothing else of the configuration matters.
    notes = isRightAlready ? [] : Self.notes(on: calibration, of: sensor, configuration: configuration)
    guard isOverridden else { return }
    let subject =
      switch Mounting(of: sensor, configuration: others, natural: natural).matrixSource {
      case .udev: "udev's matrix"
      case .driver: "The driver's matrix"
      default: "The identity matrix"
      }
    whenRight = "\(subject) is already right: there is nothing to change in udev."
    notes.append(
      """
      orientationd uses a matrix that was set for this sensor, which counts before
      udev's. To forget it:

          orientationctl calibrate --reset
      """)
  }

  private static func notes(
    on calibration: Calibration, of sensor: SensorDescription, configuration: Configuration
  ) -> [String] {
    var notes: [String] = []
    if configuration.mountMatrix != nil {
      notes.append(
        """
        The configuration of orientationd has a MountMatrix=, which overrides udev's.
        Remove it there; then this has the matrix of udev used:

            systemctl reload orientationd
        """)
    }
    if configuration.mountMatrixSource == .driver, sensor.driverMountMatrix != nil {
      notes.append(
        """
        The configuration of orientationd has MountMatrixSource=driver, so the driver's
        matrix is used before udev's. Remove it there; then this has the matrix of udev
        used:

            systemctl reload orientationd
        """)
    }
    if configuration.axisConvention == .kernel {
      notes.append(
        """
        The configuration of orientationd has AxisConvention=kernel, so this matrix
        results in the axes of the kernel's document. iio-sensor-proxy expects the
        negated axes, and would show the picture upside down. For a matrix that works
        for both, remove AxisConvention=, run this, and calibrate again:

            systemctl reload orientationd
        """)
    }
    if calibration.sign != sensor.sign && configuration.faceAxis == .auto {
      notes.append(
        """
        In all poses, taken twice, this sensor reads gravity with the opposite sign of
        its kind. Set FaceAxis=as-read in the configuration, so that orientationd does
        not confuse screen up with screen down.
        """)
    }
    return notes
  }
}

extension Calibration {
  /// Whether orientationd classifies each pose correctly by a transform.
  fileprivate func shows(_ transform: ScreenTransform) -> Bool {
    CalibrationPose.allCases.allSatisfy { pose in
      let seen = transform(Acceleration(halfAxis(of: pose)))
      let wanted =
        switch pose {
        case .rightEdgeUp: seen.x
        case .upright: seen.y
        case .flat: seen.z
        }
      // Within 25 degrees, independent of the scale of the matrix.
      return wanted > 0.9 * seen.magnitudeSquared.squareRoot()
    }
  }
}

/// How much the lengths may differ: a chip's zero is off by a tenth of gravity at most.
private let mostSpread = 1.25
/// The products of length and ScaleFactor= that are right, in units of standard gravity.
private let right = 0.85...1.15

/// What the lengths of gravity in the poses show of a sensor that no mount matrix corrects: an axis has an offset, or the driver's
/// scale is wrong.
///
/// - Parameters:
///   - lengths: in units of standard gravity.
///   - scaleFactor: the configuration's.
/// - Returns: a paragraph for people; nil if the lengths are right.
func lengthFinding(_ lengths: [Double], scaleFactor: Double) -> String? {
  guard let shortest = lengths.min(), let longest = lengths.max(), shortest > 0 else { return nil }
  guard longest <= mostSpread * shortest else {
    return """
      Gravity reads \(shortest.shortText) g in one pose and \(longest.shortText) g in another:
      an axis of the sensor is off, which no mount matrix corrects. orientationd takes
      account of that, but tilted poses are less exact.
      """
  }
  let mean = lengths.reduce(0, +) / Double(lengths.count)
  guard !right.contains(mean * scaleFactor) else { return nil }
  return """
    At rest the sensor reads \(mean.shortText) g: its driver's scale is probably wrong.
    orientationd takes account of that for the orientation. For programs that read
    motion, add to its configuration, under [Orientation]:

        ScaleFactor=\((1 / mean).shortText)
    """
}
