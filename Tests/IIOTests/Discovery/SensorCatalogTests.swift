// SPDX-License-Identifier: Apache-2.0

import IIO
import Orientation
import Testing

@Suite("The choice of a sensor")
struct SensorCatalogTests {
  private func sensor(
    _ number: Int, label: String? = nil, location: String? = nil, udev: String? = nil,
    isAccelerometer: Bool = true, under parent: String = "chip"
  ) -> SensorDescription {
    var sensor = SensorDescription(
      id: "iio:device\(number)", name: "accel\(number)", isAccelerometer: isAccelerometer)
    sensor.device.label = label
    sensor.location = location
    sensor.udev.location = udev
    sensor.sysfsPath = "/sys/devices/\(parent)/iio:device\(number)"
    return sensor
  }

  @Test("takes the only accelerometer, and says of the others what they are")
  func only() {
    let catalog = SensorCatalog(choosingAmong: [sensor(0, isAccelerometer: false), sensor(1)])
    #expect(catalog.entries.map(\.verdict) == [.notAnAccelerometer, .used(.only)])
    #expect(catalog.used?.sensor.id == "iio:device1")
  }

  @Test(
    "takes the same of two equals at each start, and says that it is a guess, and how the other one is used")
  func guess() {
    let hub = "0018:8087:0AC2.0001/HID-SENSOR-200073"
    for (display, base) in [(0, 1), (1, 0), (9, 10)] {
      let sensors = twins(
        sensor(base, under: "\(hub).10.auto"), sensor(display, under: "\(hub).9.auto"), named: "accel_3d")
      let catalog = SensorCatalog(choosingAmong: sensors)
      #expect(catalog.used?.sensor.id == "iio:device\(display)")
      #expect(
        catalog.warnings == [
          "accel_3d (iio:device\(display)) is a guess, because nothing shows which of 2 accelerometers is in the display; if "
            + "the screen turns wrongly, Sensor=accel_3d#2 selects accel_3d (iio:device\(base))"
        ])
    }
  }

  @Test("takes the one asked for by its name and number at each start, whatever numbers its path has")
  func numbered() {
    for (hub, first, second) in [("0001", 9, 10), ("0004", 12, 14), ("000A", 99, 101)] {
      let cell = "0018:8087:0AC2.\(hub)/HID-SENSOR-200073"
      let sensors = twins(
        sensor(0, under: "\(cell).\(second).auto"), sensor(1, under: "\(cell).\(first).auto"),
        named: "accel_3d")
      for (number, id) in [(1, "iio:device1"), (2, "iio:device0")] {
        #expect(SensorCatalog(choosingAmong: sensors, wanted: "accel_3d#\(number)").used?.sensor.id == id)
      }
      #expect(SensorCatalog(choosingAmong: sensors, wanted: "accel_3d#3").used == nil)
    }
  }

  @Test("keeps the number of a sensor while another one is plugged in, whose path comes first")
  func numberBesideOthers() {
    let builtIn = twins(sensor(0, under: "b.1.auto"), sensor(1, under: "b.2.auto"), named: "accel_3d")
    var stick = twins(sensor(2, under: "a"), sensor(3, label: "left", under: "a"), named: "accel_3d")
    stick[0].isRemovable = true
    for sensors in [builtIn, builtIn + stick] {
      #expect(SensorCatalog(choosingAmong: sensors, wanted: "accel_3d#1").used?.sensor.id == "iio:device0")
      #expect(SensorCatalog(choosingAmong: sensors, wanted: "accel_3d#2").used?.sensor.id == "iio:device1")
    }
  }

  @Test("says of no other choice that it is a guess")
  func noGuess() {
    var stick = sensor(1)
    stick.isRemovable = true
    for others in [[], [stick], [sensor(1, label: "accel-base")], [sensor(1, label: "accel-display")]] {
      #expect(SensorCatalog(choosingAmong: [sensor(0)] + others).warnings == [])
    }
    #expect(SensorCatalog(choosingAmong: [sensor(0), sensor(1)], wanted: "accel1").warnings == [])
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
      SensorCatalog(choosingAmong: [byUdev]).entries[0].verdict == .used(.inDisplay("ACCEL_LOCATION=display"))
    )
    let byLabel = sensor(0, label: "accel-base", location: "lid")
    let verdict = SensorCatalog(choosingAmong: [byLabel]).entries[0].verdict
    #expect(verdict == .elsewhere(.base, "label accel-base"))
    let unknownLabel = sensor(0, label: "foo", location: "lid")
    #expect(
      SensorCatalog(choosingAmong: [unknownLabel]).entries[0].verdict
        == .used(.inDisplay("location lid")))
  }

  @Test("takes the first path of equals, whatever their order and numbers")
  func equals() {
    let first = sensor(12, under: "i2c-0/i2c-KIOX010A:00")
    let others = [sensor(2, under: "i2c-0/i2c-KIOX020A:00"), sensor(9, under: "i2c-1/i2c-BOSC0200:00")]
    for sensors in [[first] + others, others + [first], [others[0], first, others[1]]] {
      let catalog = SensorCatalog(choosingAmong: sensors)
      #expect(catalog.used?.sensor == first)
      #expect(catalog.used?.verdict == .used(.first))
      #expect(catalog.entries.filter { $0.verdict == .anotherPreferred }.count == 2)
    }
    #expect(SensorCatalog(choosingAmong: [sensor(10), sensor(9)]).used?.sensor.id == "iio:device9")
  }

  @Test("never takes one that came over Bluetooth, unless udev says that it is in the display")
  func bluetooth() {
    let path = "virtual/misc/uhid/0005:057E:2006.0003/HID-SENSOR-200073.1.auto"
    var gamepad = sensor(0, under: path)
    #expect(
      SensorCatalog(choosingAmong: [gamepad]).entries[0].verdict
        == .elsewhere(.peripheral, "HID device 0005:057E:2006.0003"))
    gamepad.udev.location = "display"
    #expect(SensorCatalog(choosingAmong: [gamepad]).used?.sensor == gamepad)
    let hub = sensor(0, under: "pci0000:00/0018:048D:8350.0001/HID-SENSOR-200073.1.auto")
    #expect(SensorCatalog(choosingAmong: [hub]).entries[0].verdict == .used(.only))
  }

  private func input(
    _ number: Int, under hardware: String = "platform/lis3lv02d", isOfGamepad: Bool = false,
    udev: String? = nil
  ) -> SensorDescription {
    var sensor = SensorDescription(id: "event\(number)", name: "an input device", isAccelerometer: true)
    sensor.interface = .input(isOfGamepad: isOfGamepad)
    sensor.udev.location = udev
    sensor.sysfsPath = "/sys/devices/\(hardware)/input/input\(number)/event\(number)"
    return sensor
  }

  @Test("takes an input device of the machine's own buses only where there is no IIO device")
  func ownInputs() {
    #expect(SensorCatalog(choosingAmong: [input(3)]).entries[0].verdict == .used(.only))
    var disk = sensor(9)
    disk.device.name = "lis3lv02dl_accel"
    for other in [sensor(9), disk] {
      let catalog = SensorCatalog(choosingAmong: [input(3), other])
      #expect(catalog.used?.sensor == other)
      #expect(catalog.entries[0].verdict == .anotherPreferred)
    }
    #expect(SensorCatalog(choosingAmong: [input(3, udev: "display"), sensor(9)]).used?.sensor.id == "event3")
  }

  @Test(
    "never takes an input device that can be plugged in or that a program has made, unless it is named",
    arguments: [
      ("pci0000:00/0000:00:14.0/usb3/3-3/3-3:1.2/0003:28DE:1205.0004", false, "an input device on USB"),
      ("pci0000:00/0000:00:14.0/usb12/12-1/12-1:1.0", false, "an input device on USB"),
      ("virtual", false, "an input device of a program"),
      ("virtual/misc/uhid/0003:28DE:1205.0004", false, "an input device of a program"),
      ("virtual/misc/uhid/0005:054C:0CE6.0009", false, "HID device 0005:054C:0CE6.0009"),
      ("platform/soc/serial0-0", true, "part of a gamepad"),
    ] as [(String, Bool, String)])
  func foreignInputs(hardware: String, isOfGamepad: Bool, evidence: String) {
    let device = input(9, under: hardware, isOfGamepad: isOfGamepad)
    let catalog = SensorCatalog(choosingAmong: [device])
    #expect(catalog.used == nil)
    #expect(catalog.entries[0].verdict == .elsewhere(.peripheral, evidence))
    for name in [
      "event9", "an input device", "/dev/input/event9", "/sys/devices/\(hardware)",
      "/sys/devices/\(hardware)/input/input9/event9",
    ] {
      #expect(SensorCatalog(choosingAmong: [device, sensor(0)], wanted: name).used?.sensor == device)
    }
    #expect(
      SensorCatalog(choosingAmong: [input(9, under: hardware, udev: "display")]).used?.sensor.id == "event9")
  }

  @Test("takes an input device on USB that has a mount matrix in udev, and not one of a gamepad that has one")
  func mountedInputs() {
    for isOfGamepad in [false, true] {
      var device = input(9, under: "pci0/usb3/3-3/0003:28DE:1205.0004", isOfGamepad: isOfGamepad)
      device.udev.mountMatrix = "0,-1,0;1,0,0;0,0,1"
      #expect((SensorCatalog(choosingAmong: [device]).used == nil) == isOfGamepad)
      #expect(SensorCatalog(choosingAmong: [device, sensor(0)]).used?.sensor.id == "iio:device0")
    }
  }

  @Test("takes no folder whose name only begins like that of a USB root hub for one")
  func likeRootHub() {
    for folder in ["usb", "usbmisc1", "usb1x"] {
      #expect(SensorCatalog(choosingAmong: [input(3, under: "platform/\(folder)")]).used != nil)
    }
  }

  @Test("shows the tablet mode by no input device in the base")
  func inputInBase() {
    #expect(SensorCatalog(choosingAmong: [sensor(0), input(3, udev: "base")]).hinge == nil)
  }

  @Test("takes what can be unplugged, and what parks disks, only where there is no other")
  func doubtful() {
    var pluggedIn = sensor(0)
    pluggedIn.isRemovable = true
    var disk = sensor(0)
    disk.device.name = "lis3lv02dl_accel"
    for doubtful in [pluggedIn, disk] {
      #expect(SensorCatalog(choosingAmong: [doubtful, sensor(1)]).used?.sensor.id == "iio:device1")
      #expect(SensorCatalog(choosingAmong: [doubtful, sensor(1, udev: "base")]).used?.sensor == doubtful)
      var display = doubtful
      display.udev.location = "display"
      #expect(SensorCatalog(choosingAmong: [display, sensor(1)]).used?.sensor == display)
    }
  }

  @Test(
    "takes the one asked for by id, name, label or path, wherever it sits",
    arguments: [
      "iio:device1", "accel1", "accel-base", "accel-base#1", "/sys/devices/i2c-0/i2c-KIOX020A:00/iio:device1",
      "/sys/bus/iio/devices/iio:device1", "/sys/bus/iio/devices/iio:device1/", "/dev/iio:device1",
      "/sys/devices/i2c-0/i2c-KIOX020A:00", "/sys/devices/i2c-0/i2c-KIOX020A:00//",
    ])
  func named(_ wanted: String) {
    let sensors = [
      sensor(0, label: "accel-display", under: "i2c-0/i2c-KIOX020A"),
      sensor(1, label: "accel-base", under: "i2c-0/i2c-KIOX020A:00"),
    ]
    let catalog = SensorCatalog(choosingAmong: sensors, wanted: wanted)
    #expect(catalog.entries.map(\.verdict) == [.notAskedFor, .used(.askedFor)])
  }

  @Test("takes nothing where what is asked for is no accelerometer or not there")
  func absent() {
    let sensors = [sensor(0), sensor(1, isAccelerometer: false)]
    let wrongKind = SensorCatalog(choosingAmong: sensors, wanted: "accel1")
    #expect(wrongKind.used == nil)
    #expect(
      wrongKind.absence
        == .notAnAccelerometer(device: "accel1 (iio:device1)", available: ["accel0 (iio:device0)"]))
    let missing = SensorCatalog(choosingAmong: sensors, wanted: "iio:device9")
    #expect(missing.used == nil)
    #expect(missing.absence == .noSuchSensor(wanted: "iio:device9", available: ["accel0 (iio:device0)"]))
    #expect(SensorCatalog(choosingAmong: sensors, wanted: "accel0").absence == nil)
  }

  /// Two chips of one kind.
  private func twins(
    _ first: SensorDescription, _ second: SensorDescription, named name: String = "kxcjk1013"
  ) -> [SensorDescription] {
    [first, second].map { sensor in
      var twin = sensor
      twin.device.name = name
      return twin
    }
  }

  @Test("takes nothing where two of equal right have the name, and says which they are")
  func ambiguous() throws {
    let sensors =
      twins(sensor(0, under: "a"), sensor(1, label: "left", under: "b")) + [sensor(2, label: "accel-display")]
    let catalog = SensorCatalog(choosingAmong: sensors, wanted: "kxcjk1013")
    #expect(catalog.entries.map(\.verdict) == [.ambiguous, .ambiguous, .notAskedFor])
    let first = "kxcjk1013 (iio:device0) at /sys/devices/a/iio:device0"
    let second = "kxcjk1013 (iio:device1) with the label left at /sys/devices/b/iio:device1"
    #expect(catalog.absence == .ambiguousSensor(wanted: "kxcjk1013", matching: [first, second]))
    #expect(
      "\(try #require(catalog.absence))"
        == "several sensors match \"kxcjk1013\": \(first), \(second); use a label that only one has, a path, "
        + "or NAME#2 for the second of that name"
    )
    let choice = SensorCatalog(choosingAmong: sensors, wanted: "/sys/devices/b")
    #expect(choice.entries.map(\.verdict) == [.notAskedFor, .used(.askedFor), .notAskedFor])
  }

  @Test("takes of two that have the name the one that the rules prefer")
  func twinInTheBase() {
    let sensors = twins(sensor(0, label: "accel-base"), sensor(1))
    let catalog = SensorCatalog(choosingAmong: sensors, wanted: "kxcjk1013")
    #expect(catalog.entries.map(\.verdict) == [.elsewhere(.base, "label accel-base"), .used(.askedFor)])
  }

  @Test("says which accelerometers were passed over, and why, where none is left")
  func passedOver() throws {
    let catalog = SensorCatalog(choosingAmong: [sensor(0, isAccelerometer: false), sensor(1, udev: "base")])
    #expect(
      "\(try #require(catalog.absence))"
        == "no usable accelerometer among the devices: accel0 (iio:device0), accel1 (iio:device1), which is "
        + "in the base (ACCEL_LOCATION=base)")
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
      ("ip:10.0.0.1", .remote(IIOAddress(host: "10.0.0.1"))), ("accel_3d", .named("accel_3d")),
      ("/sys/bus/iio/devices/iio:device0", .named("/sys/bus/iio/devices/iio:device0")),
      ("iio:device0", .named("iio:device0")),
    ] as [(String, SensorRequest)])
  func requests(_ text: String, _ request: SensorRequest) throws {
    #expect(SensorRequest(parsing: text) == request)
    #expect("\(request)" == text)
  }

  @Test(
    "is asked for by any URI of libiio",
    arguments: [
      ("iio:usb:1.7.5", "usb:1.7.5"), ("iio:serial:/dev/ttyACM0,115200", "serial:/dev/ttyACM0,115200"),
    ])
  func uris(_ text: String, _ uri: String) throws {
    guard case .remote(let address) = SensorRequest(parsing: text) else {
      Issue.record("\(text) is no URI")
      return
    }
    #expect(address.uri == uri)
    #expect("\(SensorRequest.remote(address))" == text)
    for text in ["ip:", "iio:", "iio:ip:"] { #expect(SensorRequest(parsing: text) == nil) }
    #expect(SensorRequest(parsing: "iio:ip:10.0.0.1").map { "\($0)" } == "ip:10.0.0.1")
  }

  @Test("is not asked for by nothing", arguments: ["", "replay:", "ip:"])
  func emptyRequests(_ text: String) {
    #expect(SensorRequest(parsing: text) == nil)
  }

  @Test("knows the sign of HID sensor hubs by their driver's name")
  func sign() {
    #expect(SensorDescription(id: "iio:device0", name: "accel_3d").sign == .gravity)
    #expect(SensorDescription(id: "iio:device0", name: "kxcjk1013").sign == .specificForce)
    #expect(SensorDescription(id: "iio:device0").sign == .specificForce)
  }
}
