// SPDX-License-Identifier: Apache-2.0

import IIO
import Orientation
import Testing

@Suite("The choice of a sensor")
struct SensorCatalogTests {
  private func sensor(
    _ number: Int, label: String? = nil, location: String? = nil, udev: String? = nil,
    isAccelerometer: Bool = true
  ) -> SensorDescription {
    var sensor = SensorDescription(
      id: "iio:device\(number)", name: "accel\(number)", isAccelerometer: isAccelerometer)
    sensor.label = label
    sensor.location = location
    sensor.udev.location = udev
    sensor.sysfsPath = "/sys/devices/chip/iio:device\(number)"
    return sensor
  }

  @Test("takes the only accelerometer, and says of the others what they are")
  func only() {
    let catalog = SensorCatalog(choosingAmong: [sensor(0, isAccelerometer: false), sensor(1)])
    #expect(catalog.entries.map(\.verdict) == [.notAnAccelerometer, .used(.first)])
    #expect(catalog.used?.sensor.id == "iio:device1")
  }

  @Test("finds none among no devices, and none among devices that are no accelerometers")
  func none() {
    #expect(SensorCatalog(choosingAmong: []).used == nil)
    #expect(SensorCatalog(choosingAmong: [sensor(0, isAccelerometer: false)]).used == nil)
  }

  @Test(
    "never takes a sensor in the base or in a camera",
    arguments: [
      ("base", nil, nil), (nil, "accel-base", nil), (nil, nil, "base"), (nil, "accel-camera", nil),
      (nil, nil, "camera"),
    ] as [(String?, String?, String?)])
  func elsewhere(_ udev: String?, _ label: String?, _ location: String?) {
    let catalog = SensorCatalog(choosingAmong: [sensor(0, label: label, location: location, udev: udev)])
    #expect(catalog.used == nil)
    #expect(catalog.entries.map(\.verdict) != [.notAnAccelerometer])
  }

  @Test("prefers a sensor in the display to one of unknown place, wherever it stands")
  func display() {
    for display in [
      sensor(1, label: "accel-display"), sensor(1, location: "lid"), sensor(1, udev: "display"),
    ] {
      let catalog = SensorCatalog(choosingAmong: [sensor(0), display])
      #expect(catalog.used?.sensor == display)
      #expect(catalog.entries[0].verdict == .anotherPreferred)
    }
  }

  @Test("asks udev first, then the label, then the location attribute")
  func order() {
    let byUdev = sensor(0, label: "accel-base", location: "base", udev: "display")
    #expect(
      SensorCatalog(choosingAmong: [byUdev]).entries[0].verdict == .used(.inDisplay(.udevLocation("display")))
    )
    let byLabel = sensor(0, label: "accel-base", location: "lid")
    #expect(SensorCatalog(choosingAmong: [byLabel]).entries[0].verdict == .baseSensor(.label("accel-base")))
    let unknownLabel = sensor(0, label: "foo", location: "lid")
    #expect(
      SensorCatalog(choosingAmong: [unknownLabel]).entries[0].verdict
        == .used(.inDisplay(.locationAttribute("lid"))))
  }

  @Test("takes the first of equals")
  func equals() {
    #expect(SensorCatalog(choosingAmong: [sensor(3), sensor(1)]).used?.sensor.id == "iio:device3")
  }

  @Test(
    "takes the one asked for by id, name, label or path, wherever it sits",
    arguments: [
      "iio:device1", "accel1", "accel-base", "/sys/devices/chip/iio:device1",
      "/sys/bus/iio/devices/iio:device1",
    ])
  func named(_ wanted: String) {
    let sensors = [sensor(0, label: "accel-display"), sensor(1, label: "accel-base")]
    let catalog = SensorCatalog(choosingAmong: sensors, wanted: wanted)
    #expect(catalog.entries.map(\.verdict) == [.notAskedFor, .used(.askedFor)])
  }

  @Test("takes nothing where what is asked for is no accelerometer or not there")
  func absent() {
    let sensors = [sensor(0), sensor(1, isAccelerometer: false)]
    #expect(SensorCatalog(choosingAmong: sensors, wanted: "accel1").used == nil)
    #expect(SensorCatalog(choosingAmong: sensors, wanted: "iio:device9").used == nil)
  }

  @Test("says in words why")
  func words() {
    let catalog = SensorCatalog(choosingAmong: [sensor(0, udev: "base"), sensor(1, label: "accel-display")])
    #expect(
      catalog.entries.map { "\($0.verdict)" } == [
        "not used: in the base (ACCEL_LOCATION=base)", "used: in the display (label accel-display)",
      ])
  }

  @Test(
    "is asked for in the words of the command line",
    arguments: [
      ("auto", .automatic), ("simulated", .simulated), ("replay:a b.csv", .replay(path: "a b.csv")),
      ("ip:10.0.0.1", .network(host: "10.0.0.1")), ("accel_3d", .named("accel_3d")),
      ("/sys/bus/iio/devices/iio:device0", .named("/sys/bus/iio/devices/iio:device0")),
    ] as [(String, SensorRequest)])
  func requests(_ text: String, _ request: SensorRequest) throws {
    #expect(SensorRequest(parsing: text) == request)
    #expect("\(request)" == text)
  }

  @Test("is not asked for by nothing", arguments: ["", "replay:", "ip:"])
  func emptyRequests(_ text: String) {
    #expect(SensorRequest(parsing: text) == nil)
  }

  @Test("knows the sign of HID sensor hubs by their driver's name")
  func sign() {
    #expect(SensorDescription(id: "iio:device0", name: "accel_3d").sign == .readsTheOpposite)
    #expect(SensorDescription(id: "iio:device0", name: "kxcjk1013").sign == .readsWhatHoldsItUp)
    #expect(SensorDescription(id: "iio:device0").sign == .readsWhatHoldsItUp)
  }
}
