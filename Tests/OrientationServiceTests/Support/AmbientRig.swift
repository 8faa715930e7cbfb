// SPDX-License-Identifier: Apache-2.0

import CLinux
import IIO
import MockDevices
import Orientation
import Systemd
import Testing

@testable import OrientationService

/// The sensors of a mock kernel, and what was told of them, for exit tests.
final class AmbientRig {
  let kernel: MockKernel
  let loop: EventLoop
  let sensors: AmbientSensors
  /// The kinds of which a change was told, in order.
  private(set) var told: [AmbientSensorKind] = []
  private(set) var releases = 0

  /// Adds a device for each set of attributes, looks for sensors, and waits until that is done.
  init(_ devices: [[String: String]]) throws {
    kernel = MockKernel()
    for (number, attributes) in devices.enumerated() { Self.add(number, attributes, to: kernel) }
    loop = try EventLoop()
    sensors = AmbientSensors(loop: loop, beside: try SamplerLink(), log: ServiceLog())
    for kind in AmbientSensors.kinds {
      sensors.sampler(kind)?.whenChanged = { [unowned self] in told.append(kind) }
    }
    sensors.whenReleased = { [unowned self] in releases += 1 }
    sensors.lookAgain()
    wait("the devices were looked through") { self.sensors.knowsSensors }
  }

  /// Adds a device.
  func add(_ number: Int, _ attributes: [String: String]) {
    Self.add(number, attributes, to: kernel)
  }

  private static func add(_ number: Int, _ attributes: [String: String], to kernel: borrowing MockKernel) {
    kernel.addDevice("iio:device\(number)", under: "platform/chip\(number)", attributes: attributes)
  }

  /// Where a device is.
  static func path(_ number: Int) -> String { "/sys/devices/platform/chip\(number)/iio:device\(number)" }

  /// Has the loop run until something holds, or for 10 s, which is a failure.
  func wait(_ what: String, line: Int = #line, until condition: () -> Bool) {
    let deadline = BootTime.now.advanced(bySeconds: 10)
    while !condition() {
      guard .now < deadline else {
        #expect(Bool(false), "line \(line): it did not come to this: \(what)")
        return
      }
      _ = try? loop.runOnce(timeoutSeconds: 0.1)
    }
  }

  /// Has the loop run for some seconds.
  func run(seconds: Double) {
    let deadline = BootTime.now.advanced(bySeconds: seconds)
    while .now < deadline { _ = try? loop.runOnce(timeoutSeconds: 0.05) }
  }

  /// The descriptor by which an attribute is open; nil where it is not.
  func descriptor(of attribute: String) -> CInt? {
    (3..<256).first { descriptor in
      guard let path = realpath("/proc/self/fd/\(descriptor)", nil) else { return false }
      defer { free(path) }
      return String(cString: path).hasSuffix(attribute)
    }
  }

  /// Ends the threads; whether they did in some seconds.
  func end(withinSeconds seconds: Double) -> Bool {
    sensors.requestStop()
    return sensors.waitForEnd(until: .now.advanced(bySeconds: seconds))
  }

  /// Forgets what was told.
  func takeTold() -> [AmbientSensorKind] {
    defer { told = [] }
    return told
  }
}

extension AmbientSensors {
  /// The sensor of a kind; nil if there is none.
  func sensor(_ kind: AmbientSensorKind) -> AmbientSensor? { sampler(kind)?.sensor }

  private func state(_ kind: AmbientSensorKind) -> SensorState<AmbientReading> {
    sampler(kind)?.state ?? .absent
  }

  /// How bright it is.
  var light: SensorState<LightLevel> {
    state(.light).map { if case .light(let level) = $0 { level } else { nil } }
  }

  /// Whether something is close.
  var proximity: SensorState<Proximity> {
    state(.proximity).map { if case .proximity(let proximity) = $0 { proximity } else { nil } }
  }

  /// Which way the device points.
  var compass: SensorState<CompassHeading> {
    state(.compass).map { if case .compass(let heading) = $0 { heading } else { nil } }
  }

  func claim(_ kind: AmbientSensorKind) { sampler(kind)?.set(isClaimed: true) }

  func release(_ kind: AmbientSensorKind) { sampler(kind)?.set(isClaimed: false) }
}

/// How many threads sample or look for sensors.
///
/// Of all threads of this process, some are the test library's, and come and go.
func sensorThreads() -> Int {
  namesOfFiles(in: "/proc/self/task").count { name in
    let file = open("/proc/self/task/\(name)/comm", O_RDONLY)
    guard file >= 0 else { return false }
    defer { close(file) }
    var comm = [CChar](repeating: 0, count: 32)
    return read(file, &comm, 31) > 0 && strncmp(comm, "sensor-", 7) == 0
  }
}

/// How many events this process has, of which each such thread has three.
func eventCount() -> Int {
  (3..<256).count { descriptor in
    var link = [CChar](repeating: 0, count: 64)
    // The last byte stays zero.
    guard readlink("/proc/self/fd/\(descriptor)", &link, link.count - 1) > 0 else { return false }
    return strcmp(link, "anon_inode:[eventfd]") == 0
  }
}

/// Expects two values to be equal, and says so where they are not.
///
/// Of an expectation that fails in an exit test, only the comment reaches the test's output.
func expectSame<Value: Equatable>(_ value: Value, _ expected: Value, line: Int = #line) {
  #expect(value == expected, "line \(line): \(value) is not \(expected)")
}

extension CompassHeading {
  /// A heading that is known to be one.
  static func at(_ degrees: Double) throws -> CompassHeading {
    try #require(CompassHeading(degrees: degrees))
  }
}
