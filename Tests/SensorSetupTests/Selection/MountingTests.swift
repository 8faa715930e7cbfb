// SPDX-License-Identifier: Apache-2.0

// The law of the frames, from the matrix's text to the orientation that is told: however a rigid chip is mounted, and
// whatever a person who tuned its matrix on the picture's rotation made of the third row, all six poses come out right.

import IIO
import Orientation
import Testing

@testable import SensorSetup

/// What a person writes for the third row, who sees only the picture turn.
private enum ThirdRow: CaseIterable {
  case right, wrong, untouched
}

/// A chip on a board: the rows are its x, y and z axes in the screen's frame.
private struct Mount: Sendable {
  var axes: [SIMD3<Double>]

  /// The 24 rotations that map the axes on each other.
  static let all: [Mount] = {
    let units = [SIMD3(1.0, 0, 0), SIMD3(0, 1.0, 0), SIMD3(0, 0, 1.0)]
    let directions = units + units.map { -$0 }
    return directions.flatMap { x in
      directions.filter { ($0 * x).sum() == 0 }.map { y in Mount(axes: [x, y, cross(x, y)]) }
    }
  }()

  /// What the chip reads of the force that holds the tablet up, g.
  func reading(of force: SIMD3<Double>, sign: SignConvention) -> Acceleration<SensorFrame> {
    let value = sign == .specificForce ? force * standardGravity : force * -standardGravity
    return Acceleration(
      x: (axes[0] * value).sum(), y: (axes[1] * value).sum(), z: (axes[2] * value).sum())
  }

  /// The screen's axis in terms of the chip's.
  func screenAxis(_ axis: Int) -> SIMD3<Double> { SIMD3(axes[0][axis], axes[1][axis], axes[2][axis]) }

  /// The matrix that turns iio-sensor-proxy's picture right, which wants the negative of the screen's x and y.
  func matrixTunedByEye(thirdRow: ThirdRow, sign: SignConvention) -> String {
    let tuning = sign == .specificForce ? -1.0 : 1.0
    let z: SIMD3<Double>
    switch thirdRow {
    case .right: z = screenAxis(2) * -tuning
    case .wrong: z = screenAxis(2) * tuning
    case .untouched: z = SIMD3(0, 0, 1)
    }
    return text([screenAxis(0) * tuning, screenAxis(1) * tuning, z])
  }

  /// The matrix of the kernel's mount-matrix document, which is right in every row.
  func matrixOfTheKernel(sign: SignConvention) -> String {
    let factor = sign == .specificForce ? 1.0 : -1.0
    return text((0..<3).map { screenAxis($0) * factor })
  }
}

private func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
  SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
}

private func text(_ rows: [SIMD3<Double>]) -> String {
  rows.map { "\(Int($0.x)), \(Int($0.y)), \(Int($0.z))" }.joined(separator: "; ")
}

/// The force that supports the tablet in each orientation: one on the screen's axis that points up.
private let poses: [(orientation: DeviceOrientation, force: SIMD3<Double>)] = [
  (.portrait, SIMD3(0, 1, 0)), (.portraitUpsideDown, SIMD3(0, -1, 0)), (.landscapeLeft, SIMD3(1, 0, 0)),
  (.landscapeRight, SIMD3(-1, 0, 0)), (.faceUp, SIMD3(0, 0, 1)), (.faceDown, SIMD3(0, 0, -1)),
]

/// A chip on I2C, or a HID sensor hub, whose matrix udev knows.
private func sensor(_ sign: SignConvention, matrix: String?) -> SensorDescription {
  var sensor = SensorDescription(
    id: "iio:device0", name: sign == .gravity ? "accel_3d" : "kxcjk1013", isAccelerometer: true)
  sensor.udev.mountMatrix = matrix
  return sensor
}

/// Where the pipeline says the tablet is, put into each pose for a second.
private func orientations(
  of mount: Mount, sign: SignConvention, by transform: ScreenTransform
) -> [DeviceOrientation?] {
  var pipeline = OrientationPipeline(transform: transform, settings: PipelineSettings())
  var time = BootTime(nanoseconds: 0)
  return poses.map { pose in
    var told: DeviceOrientation?
    for _ in 0..<25 {
      time = time.advanced(bySeconds: 0.04)
      let sample = Sample(time: time, acceleration: mount.reading(of: pose.force, sign: sign))
      told = pipeline.process(sample)?.orientation ?? told
    }
    return told
  }
}

@Suite("How a sensor is mounted")
struct MountingTests {
  @Test(
    "in each of the 24 ways, with a matrix tuned by eye, gives the six right orientations",
    arguments: [SignConvention.specificForce, .gravity], ThirdRow.allCases)
  private func tunedByEye(sign: SignConvention, thirdRow: ThirdRow) {
    #expect(Mount.all.count == 24)
    for mount in Mount.all {
      let matrix = mount.matrixTunedByEye(thirdRow: thirdRow, sign: sign)
      let mounting = Mounting(
        of: sensor(sign, matrix: matrix), configuration: Configuration(), natural: .portrait)
      #expect(
        orientations(of: mount, sign: sign, by: mounting.transform) == poses.map(\.orientation), "\(matrix)")
      #expect(mounting.warnings.isEmpty == !mounting.matrix.isSingular)
    }
  }

  @Test(
    "in each of the 24 ways, with a matrix tuned by eye, gives the right rates of the chip's gyroscope",
    arguments: [SignConvention.specificForce, .gravity], ThirdRow.allCases)
  private func rates(sign: SignConvention, thirdRow: ThirdRow) {
    let turn = SIMD3(1.0, 2, 3)
    for mount in Mount.all {
      let matrix = mount.matrixTunedByEye(thirdRow: thirdRow, sign: sign)
      let mounting = Mounting(
        of: sensor(sign, matrix: matrix), configuration: Configuration(), natural: .portrait)
      // A hub too reads each turn with its own sign.
      let reading = AngularVelocity<SensorFrame>(
        x: (mount.axes[0] * turn).sum(), y: (mount.axes[1] * turn).sum(), z: (mount.axes[2] * turn).sum())
      let rates = RateTransform(ofForcesBy: mounting.transform)(reading)
      #expect(rates == AngularVelocity(x: 1, y: 2, z: 3), "\(matrix)")
    }
  }

  @Test(
    "in each of the 24 ways, with the kernel's matrix and AxisConvention=kernel, gives them too",
    arguments: [SignConvention.specificForce, .gravity], [FaceAxis.auto, .asRead])
  func kernelMatrix(sign: SignConvention, faceAxis: FaceAxis) {
    var configuration = Configuration()
    configuration.axisConvention = .kernel
    configuration.faceAxis = faceAxis
    for mount in Mount.all {
      let matrix = mount.matrixOfTheKernel(sign: sign)
      let mounting = Mounting(
        of: sensor(sign, matrix: matrix), configuration: configuration, natural: .portrait)
      #expect(
        orientations(of: mount, sign: sign, by: mounting.transform) == poses.map(\.orientation), "\(matrix)")
    }
  }

  @Test(
    "is what the configuration says, else udev, else the driver; else the chip's axes are taken as they are")
  func precedence() throws {
    var configuration = Configuration()
    configuration.mountMatrix = try MountMatrix(parsing: "-1, 0, 0; 0, -1, 0; 0, 0, 1")
    var sensor = sensor(.specificForce, matrix: "0, 1, 0; 1, 0, 0; 0, 0, 1")
    sensor.driverMountMatrix = "0, 0, 1; 1, 0, 0; 0, 1, 0"
    let configured = Mounting(of: sensor, configuration: configuration, natural: .portrait)
    #expect(configured.source == "mount matrix from the configuration")
    #expect(configured.matrix == configuration.mountMatrix)
    let byUdev = Mounting(of: sensor, configuration: Configuration(), natural: .portrait)
    #expect(byUdev.source == "mount matrix from udev (ACCEL_MOUNT_MATRIX)")
    #expect("\(byUdev.matrix)" == "0, 1, 0; 1, 0, 0; 0, 0, 1")
    sensor.udev.mountMatrix = "1, 0, 0; 1, 0, 0; 0, 0, 1"
    let byDriver = Mounting(of: sensor, configuration: Configuration(), natural: .portrait)
    #expect(byDriver.source == "mount matrix from the driver")
    #expect(byDriver.warnings.count == 1)
    sensor.driverMountMatrix = nil
    let byNobody = Mounting(of: sensor, configuration: Configuration(), natural: .portrait)
    #expect(byNobody.source == "no mount matrix")
    #expect(byNobody.matrix == .identity)
  }

  @Test("uses udev's matrix or the driver's, as the configuration wants, and says which ones it does not use")
  func sources() throws {
    let (right, wrong) = ("1, 0, 0; 0, 1, 0; 0, 0, 1", "0, 1, 0; 1, 0, 0; 0, 0, 1")
    var sensor = sensor(.specificForce, matrix: wrong)
    sensor.driverMountMatrix = right
    func mounting(_ edit: (inout Configuration) -> Void = { _ in }) -> Mounting {
      var configuration = Configuration()
      edit(&configuration)
      return Mounting(of: sensor, configuration: configuration, natural: .portrait)
    }
    let byUdev = Mounting.Candidate(
      matrix: try MountMatrix(parsing: wrong), source: .udev)
    let byDriver = Mounting.Candidate(matrix: try MountMatrix(parsing: right), source: .driver)
    let preferred = mounting()
    #expect(preferred.matrix == byUdev.matrix && preferred.unused == [byDriver])
    let other = mounting { $0.mountMatrixSource = .driver }
    #expect(other.matrix == byDriver.matrix && other.origin == byDriver.origin && other.unused == [byUdev])
    #expect(mounting { $0.mountMatrix = byDriver.matrix }.unused == [byUdev])
    // One that is malformed or the same is no other one.
    sensor.udev.mountMatrix = right
    #expect(mounting().unused == [])
    sensor.driverMountMatrix = "nonsense"
    #expect(mounting().unused == [] && mounting().warnings == [])
    let fallback = mounting { $0.mountMatrixSource = .driver }
    #expect(fallback.origin == byUdev.origin && fallback.warnings.count == 1)
  }

  @Test(
    "proposes the ScaleFactor= that makes gravity right, whatever is set already", arguments: [1.0, 2, 0.5])
  func wrongScale(present: Double) {
    var configuration = Configuration()
    configuration.scaleFactor = present
    let mounting = Mounting(
      of: sensor(.specificForce, matrix: nil), configuration: configuration, natural: .portrait)
    let used = MountedSensor(origin: .simulation, name: "accel", choice: "requested", mounting: mounting)
    // The chip reads a sixtieth.
    let text = used.wrongScale(present / 60)
    #expect(text.hasPrefix("accel: at rest it reads \((present / 60).shortText) g, "))
    #expect(text.contains("ScaleFactor=60 "))
    #expect([0.016666, 60, 0.1, 1234.9, 1e-9].map(\.shortText) == ["0.0167", "60", "0.1", "1235", "1e-09"])
  }

  @Test("with a matrix of the configuration that lacks a third row says so")
  func singularConfiguration() throws {
    var configuration = Configuration()
    configuration.mountMatrix = try MountMatrix(parsing: "0, 0, 1; 1, 0, 0; 0, 0, 1")
    configuration.faceAxis = .inverted
    let mounting = Mounting(
      of: sensor(.specificForce, matrix: nil), configuration: configuration, natural: .portrait)
    let warning = try #require(mounting.warnings.first)
    #expect(
      warning.hasPrefix("mount matrix from the configuration is singular: its first two rows are used"))
  }

  @Test(
    "counts the configuration first, then what was set or is tried, and udev; and says which others there are"
  )
  func set() throws {
    let sensor = sensor(.specificForce, matrix: "-1, 0, 0; 0, -1, 0; 0, 0, 1")
    let matrix = try MountMatrix(parsing: "0, 1, 0; -1, 0, 0; 0, 0, 1")
    var configuration = Configuration()
    func mounting(_ source: MatrixSource?) -> Mounting {
      Mounting(
        of: sensor, configuration: configuration, natural: .portrait,
        set: source.map { Mounting.Candidate(matrix: matrix, source: $0) })
    }
    func sources(_ mounting: Mounting) -> [MatrixSource?] {
      [mounting.matrixSource] + mounting.unused.map(\.source)
    }
    #expect(sources(mounting(nil)) == [.udev])
    #expect(sources(mounting(.calibration)) == [.calibration, .udev])
    #expect(sources(mounting(.preview)) == [.preview, .udev])
    configuration.mountMatrix = .identity
    #expect(sources(mounting(.calibration)) == [.configuration, .calibration, .udev])
    #expect(sources(mounting(.preview)) == [.configuration, .preview, .udev])
  }

  @Test(
    "by what was set is the same whatever the configuration says of conventions",
    arguments: [
      SignConvention.specificForce, .gravity,
    ])
  func setConvention(sign: SignConvention) throws {
    let sensor = sensor(sign, matrix: nil)
    // The sign of a chip need not be that of its kind.
    for matrix in try ["0, 1, 0; -1, 0, 0; 0, 0, -1", "0, 1, 0; -1, 0, 0; 0, 0, 1"].map(MountMatrix.init) {
      for convention in AxisConvention.allCases {
        for faceAxis in FaceAxis.allCases {
          var configuration = Configuration()
          (configuration.axisConvention, configuration.faceAxis) = (convention, faceAxis)
          let mounting = Mounting(
            of: sensor, configuration: configuration, natural: .portrait,
            set: Mounting.Candidate(matrix: matrix, source: .calibration))
          #expect(mounting.effective == matrix)
          #expect(mounting.transform(Acceleration(x: 1, y: 0, z: 0)).y == 1)
        }
      }
    }
  }

  @Test("is found of the sensor that a matrix was set for, and of no other one")
  func model() throws {
    let kept = [SensorMatrix(model: "one", matrix: .identity)]
    let matrices = SetMatrices(kept: kept)
    #expect(matrices.candidate(for: "one")?.source == .calibration)
    #expect(matrices.candidate(for: "another") == nil && matrices.candidate(for: nil) == nil)
    let previewed = SetMatrices(preview: SensorMatrix(model: "one", matrix: .identity), kept: kept)
    #expect(previewed.candidate(for: "one")?.source == .preview)
    #expect(SensorDescription(id: "iio:device0").model == nil)
  }

  @Test("that was set for one of two equal sensors is not that of the other one")
  func twins() throws {
    let sensors = [9, 10].map { cell in
      var sensor = SensorDescription(id: "iio:device\(cell)", name: "accel_3d", isAccelerometer: true)
      sensor.sysfsPath = "/sys/devices/hub/HID-SENSOR-200073.\(cell).auto/iio:device\(cell)"
      return sensor
    }
    func model(_ wanted: String?) throws -> String {
      try #require(SensorCatalog(choosingAmong: sensors, wanted: wanted).used?.sensor.model)
    }
    let first = try model(nil)
    #expect(try model("iio:device9") == first)
    #expect(try model("iio:device10") == first + "#2")
    #expect(try #require(SensorCatalog(choosingAmong: [sensors[1]]).used?.sensor.model) == first)
  }
}
