// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Each runs under umockdev, which puts a /sys of the test's own in place of the machine's.
@Suite("orientationctl sensors")
struct SensorsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The program, which has ended.
  private func ended(_ arguments: [String], devices: String = "") throws -> ChildProcess {
    let file = try folder.write(devices, to: "machine.umockdev")
    let program = try ChildProcess(
      "umockdev-run", ["-d", file, "--", "orientationctl", "sensors"] + arguments)
    try program.exitCode()
    return program
  }

  /// The program, which has written a report: one that wrote none says why.
  private func sensors(_ arguments: String..., devices: String = "") throws -> ChildProcess {
    let program = try ended(arguments, devices: devices)
    if program.output.isEmpty {
      throw GaveUp(description: "ended with \(try program.exitCode()): \(program.errors)")
    }
    return program
  }

  /// The configuration of no machine.
  private var defaults: String { get throws { try folder.write("", to: "empty.conf") } }

  @Test("on a machine without IIO says so, with a hint")
  func none() throws {
    let program = try sensors("--config", defaults)
    #expect(try program.exitCode() == 0)
    #expect(program.output.hasPrefix("There are no IIO devices.\n"))
    #expect(program.output.contains("--sensor simulated"))
    let report = try object(sensors("--config", defaults, "--json").output)
    #expect((report["devices"] as? [Any])?.isEmpty == true)
    #expect(report["used"] is String == false)
  }

  @Test("says which device is used and why, and what it is")
  func used() throws {
    let text = try sensors("--config", defaults, devices: convertible).output
    #expect(text.hasPrefix("The daemon uses accel_3d (iio:device0).\n"))
    for line in [
      "  Verdict       used: in the display (ACCEL_LOCATION=display)",
      "  Mount matrix  0, 1, 0; 1, 0, 0; 0, 0, 1 from udev (ACCEL_MOUNT_MATRIX)",
      "  Screen axes   right edge -y, top -x, out of the screen +z",
      "  Frequencies   not listed by the driver; 10 Hz at present; used: 25 Hz",
      "  Samples       buffered, clocked by the trigger accel_3d-dev0",
      "  Scan formats  le:s16/32>>0 for x, y and z",
      "  Verdict       not used: in the base (label accel-base)",
      "  Frequencies   0.781, 12.5, 50 Hz; 12.5 Hz at present; used: 50 Hz",
      "  Samples       polled: the driver has no buffer", "  Verdict  not an accelerometer",
    ] {
      #expect(text.contains(line + "\n"))
    }
    #expect(text.contains("is singular"))
  }

  @Test("shows the driver's matrix beside udev's where they differ, and which one is used")
  func bothMatrices() throws {
    let machine = convertible.replacingOccurrences(
      of: "A: in_accel_x_raw=0\\n\nA: in_accel_y_raw=-1000",
      with:
        "A: in_accel_mount_matrix=-1, 0, 0; 0, -1, 0; 0, 0, 1\\n\nA: in_accel_x_raw=0\\n\nA: in_accel_y_raw=-1000"
    )
    let text = try sensors("--config", defaults, devices: machine).output
    #expect(text.contains("  Mount matrix   0, 1, 0; 1, 0, 0; 0, 0, 1 from udev (ACCEL_MOUNT_MATRIX)\n"))
    #expect(text.contains("  Unused matrix  -1, 0, 0; 0, -1, 0; 0, 0, 1 from the driver\n"))
    let preferred = try folder.write("MountMatrixSource=driver\n", to: "driver.conf")
    let report = try object(sensors("--config", preferred, "--json", devices: machine).output)
    let devices = try #require(report["devices"] as? [[String: Any]])
    #expect(devices[0]["mount_matrix_source"] as? String == "the driver")
    let unused = try #require(devices[0]["unused_mount_matrices"] as? [[String: String]])
    #expect(unused == [["matrix": "0, 1, 0; 1, 0, 0; 0, 0, 1", "source": "udev (ACCEL_MOUNT_MATRIX)"]])
  }

  @Test("gives the same as JSON")
  func json() throws {
    let report = try object(sensors("--config", defaults, "--json", devices: convertible).output)
    #expect(report["used"] as? String == "iio:device0")
    let devices = try #require(report["devices"] as? [[String: Any]])
    #expect(devices.map { $0["name"] as? String } == ["accel_3d", "kxcjk1013", "als"])
    #expect(devices.map { $0["used"] as? Bool } == [true, false, false])
    #expect(devices[0]["mount_matrix"] as? String == "0, 1, 0; 1, 0, 0; 0, 0, 1")
    #expect(devices[0]["trigger"] as? String == "accel_3d-dev0")
    #expect(devices[0]["scan_formats"] as? [String] == Array(repeating: "le:s16/32>>0", count: 3))
    #expect(devices[1]["available_frequencies_hz"] as? [Double] == [0.781, 12.5, 50])
    #expect((devices[1]["warnings"] as? [String])?.count == 1)
  }

  @Test(
    "says what the tablet mode is derived from; not from an accelerometer whose mount matrix is of no use")
  func tabletMode() throws {
    let useless = try sensors("--config", defaults, devices: convertible).output
    #expect(
      useless.contains(
        "\nThe tablet mode is unknown: kxcjk1013 (iio:device1), in the base, is not used for the tablet mode: mount matrix"
      ))
    let base = convertible.replacingOccurrences(
      of: "1, 0, 0; 1, 0, 0; 0, 0, 1", with: "1, 0, 0; 0, 1, 0; 0, 0, 1")
    let text = try sensors("--config", defaults, devices: base).output
    #expect(
      text.contains(
        "\nThe tablet mode is that of the angle between the display and the base, which has kxcjk1013 (iio:device1).\n"
      ))
    #expect(text.contains("  Verdict       used for the tablet mode: in the base (label accel-base)\n"))
    let hinge =
      base + """

        P: /devices/platform/lid/iio:device3
        E: DEVTYPE=iio_device
        E: SUBSYSTEM=iio
        A: name=cros-ec-lid-angle\\n
        A: in_angl_raw=100\\n

        """
    #expect(
      try sensors("--config", defaults, devices: hinge).output
        .contains("\nThe tablet mode is that of the hinge sensor cros-ec-lid-angle (iio:device3).\n"))
    let report = try object(sensors("--config", defaults, "--json", devices: hinge).output)
    #expect(report["tablet_mode_source"] as? String == "hinge")
    #expect(report["tablet_mode_device"] as? String == "iio:device3")
    let devices = try #require(report["devices"] as? [[String: Any]])
    #expect(devices.map { $0["used_for_tablet_mode"] as? Bool } == [false, false, false, true])
  }

  @Test("says which gyroscope programs read")
  func gyroscope() throws {
    let machine =
      convertible + """

        P: /devices/platform/lid/iio:device4
        E: DEVTYPE=iio_device
        E: SUBSYSTEM=iio
        A: name=gyro\\n
        A: in_anglvel_x_raw=0\\n
        A: in_anglvel_y_raw=0\\n
        A: in_anglvel_z_raw=0\\n
        A: in_anglvel_scale=0.001\\n

        """
    let text = try sensors("--config", defaults, devices: machine).output
    #expect(
      text.contains(
        "  Verdict    not an accelerometer\n  Gyroscope  used for programs that read motion\n"))
    let report = try object(sensors("--config", defaults, "--json", devices: machine).output)
    let devices = try #require(report["devices"] as? [[String: Any]])
    #expect(devices.map { $0["used_as_gyroscope"] as? Bool } == [false, false, false, true])
  }

  @Test("lists the devices of a machine that libiio refuses, and says that it does")
  func refusal() throws {
    let taken = try object(sensors("--config", defaults, "--json", devices: convertible).output)
    #expect(taken["libiio_refusal"] is String == false)
    let text = try sensors("--config", defaults, devices: "\(convertible)\n\(oddCompass)").output
    #expect(text.hasPrefix("The daemon uses accel_3d (iio:device0).\n"))
    let refusal =
      "libiio refuses all IIO devices of this machine because of one device, probably magn_3d (iio:device3)"
    #expect(text.contains("Note: \(refusal): Invalid argument; they are used without libiio.\n"))
    #expect(text.contains("  Samples       buffered, clocked by the trigger accel_3d-dev0\n"))
    let report = try object(
      try sensors("--config", defaults, "--json", devices: "\(convertible)\n\(oddCompass)").output)
    #expect((report["libiio_refusal"] as? String)?.hasPrefix(refusal) == true)
    #expect((report["devices"] as? [Any])?.count == 4)
  }

  @Test("shows the natural orientation and why, and the axes of the panel by its own upright")
  func naturalOrientation() throws {
    let reason = "panel eDP-1 is 1920x1080: landscape"
    let text = try sensors("--config", defaults, devices: laptop).output
    #expect(text.contains("The device's natural orientation is landscapeLeft (\(reason)).\n"))
    #expect(text.contains("Screen axes   right edge -y, top -x, out of the screen +z\n"))
    let report = try object(
      try sensors("--config", defaults, "--json", devices: laptop).output)
    #expect(report["natural_orientation"] as? String == "landscapeLeft")
    #expect(report["natural_orientation_reason"] as? String == reason)
    let none = try sensors("--config", defaults, devices: convertible).output
    #expect(none.contains("natural orientation is portrait (no internal panel: portrait).\n"))
    let configured = try folder.write("NaturalOrientation=portraitUpsideDown\n", to: "natural.conf")
    #expect(
      try sensors("--config", configured, devices: landscapePanel).output
        .contains("natural orientation is portraitUpsideDown (configured).\n"))
  }

  @Test("shows in which orientation a laptop with a tablet's panel stands, or how to say it")
  func laptopOrientation() throws {
    let panel = landscapePanel.replacing("1920x1080", with: "1600x2560")
    let unknown = try sensors("--config", defaults, devices: "\(convertible)\n\(panel)").output
    #expect(!unknown.contains("As a laptop"))
    #expect(unknown.contains("its orientation in the laptop is unknown: set LaptopOrientation=.\n"))
    let card = """
      P: /devices/platform/gpu/drm/card0
      E: DEVTYPE=drm_minor
      E: SUBSYSTEM=drm
      E: ORIENTATIOND_PANELS=eDP-1=left_side_up

      """
    let known = "\(convertible)\n\(card)\n\(panel)"
    let text = try sensors("--config", defaults, devices: known).output
    #expect(
      text.contains("As a laptop, it stands in landscapeRight (panel eDP-1 is mounted left_side_up).\n"))
    #expect(!text.contains("set LaptopOrientation="))
    let report = try object(try sensors("--config", defaults, "--json", devices: known).output)
    #expect(report["laptop_orientation"] as? String == "landscapeRight")
    #expect(report["laptop_orientation_reason"] as? String == "panel eDP-1 is mounted left_side_up")
  }

  @Test("shows names that would do something to the terminal, and escapes them in JSON")
  func hostileNames() throws {
    let machine = convertible.replacingOccurrences(
      of: "A: name=accel_3d\\n", with: "A: name=\(hostileLine)\\n"
    )
    .replacingOccurrences(of: "label=accel-base", with: "label=\(hostileLine)")
    let text = try sensors("--config", defaults, devices: machine).output
    #expect(isHarmless(text))
    #expect(text.hasPrefix("The daemon uses \(shownLine) (iio:device0).\n"))
    #expect(text.contains("  Label         \(shownLine)\n"))
    let json = try sensors("--config", defaults, "--json", devices: machine).output
    #expect(isHarmless(json))
    #expect(json.contains("\"name\":\"\(jsonLine)\""))
    let asked = try folder.write("Sensor=\(hostileLine)\u{7f}\nSampleRate=\(hostileLine)\n", to: "h.conf")
    let refused = try sensors("--config", asked, devices: machine)
    #expect(isHarmless(refused.output) && isHarmless(refused.errors))
    #expect(refused.output.hasPrefix("The daemon uses no device: Sensor=\(shownLine)\\u{7f} matches none"))
  }

  @Test("goes by the daemon's configuration")
  func configuration() throws {
    let asked = try folder.write(
      "Sensor=kxcjk1013\nMountMatrix=0,-1,0;1,0,0;0,0,1\nSampleRate=10\n", to: "a.conf")
    let text = try sensors("--config", asked, devices: convertible).output
    #expect(text.hasPrefix("The daemon uses kxcjk1013 (iio:device1).\n"))
    #expect(text.contains("used: requested"))
    #expect(text.contains("0, -1, 0; 1, 0, 0; 0, 0, 1 from the configuration"))
    #expect(text.contains("used: 12.5 Hz"))
    let missing = try folder.write("Sensor=als\n", to: "b.conf")
    let refusal = try sensors("--config", missing, devices: convertible).output
    #expect(
      refusal.hasPrefix("The daemon uses no device: Sensor=als matches none of the accelerometers below.\n"))
    let simulated = try folder.write("Sensor=simulated\n", to: "c.conf")
    #expect(
      try sensors("--config", simulated, devices: convertible).output
        .hasPrefix("The daemon uses no device, but a simulated tablet (Sensor=simulated).\n"))
  }

  @Test("says that a name is ambiguous, and shows the paths that are not")
  func ambiguous() throws {
    let twin = convertible.replacingOccurrences(of: "accel_3d", with: "kxcjk1013")
    let asked = try folder.write("Sensor=kxcjk1013\n", to: "a.conf")
    // The rules prefer the one in the display.
    #expect(
      try sensors("--config", asked, devices: twin).output.hasPrefix(
        "The daemon uses kxcjk1013 (iio:device0).\n")
    )
    let equals = twin.replacingOccurrences(of: "label=accel-base", with: "label=left")
      .replacingOccurrences(of: "E: ACCEL_LOCATION=display\n", with: "")
    let text = try sensors("--config", asked, devices: equals).output
    #expect(
      text.hasPrefix(
        "The daemon uses no device: Sensor=kxcjk1013 matches more than one of the accelerometers below. "))
    #expect(text.contains("  Verdict       not used: several sensors match the request\n"))
    #expect(text.contains("  Path          /sys/devices/platform/chip/iio:device1\n"))
    let byLabel = try folder.write("Sensor=left\n", to: "b.conf")
    #expect(
      try sensors("--config", byLabel, devices: equals).output.hasPrefix(
        "The daemon uses kxcjk1013 (iio:device1).\n"))
    let byPath = try folder.write("Sensor=/sys/devices/platform/chip\n", to: "c.conf")
    #expect(
      try sensors("--config", byPath, devices: equals).output.hasPrefix(
        "The daemon uses kxcjk1013 (iio:device1).\n"))
  }

  @Test("says why the recording of the configuration cannot be read")
  func unreadableRecording() throws {
    let configuration = try folder.write("Sensor=replay:/nonexistent.csv\n", to: "replay.conf")
    let program = try sensors("--config", configuration)
    #expect(try program.exitCode() == 0)
    #expect(
      program.output.hasPrefix(
        "The daemon uses no device (Sensor=replay:/nonexistent.csv): the recording cannot be read: "
          + "/nonexistent.csv: does not exist.\n"))
  }

  @Test("fails where the configuration that was named cannot be read")
  func unreadableConfiguration() throws {
    let program = try ended(["--config", "/nonexistent.conf"])
    #expect(try program.exitCode() == 1)
    #expect(program.errors.contains("/nonexistent.conf: cannot be read"))
  }
}

/// The panel of a laptop.
private let landscapePanel = """
  P: /devices/platform/gpu/drm/card0-eDP-1
  E: DEVTYPE=drm_connector
  E: SUBSYSTEM=drm
  A: modes=1920x1080\\n1280x720\\n
  A: status=connected\\n

  """

/// The 2-in-1 with its panel.
private let laptop = "\(convertible)\n\(landscapePanel)"

/// A 2-in-1: a HID sensor hub in the display, an I2C chip in the base, and a light sensor.
private let convertible = """
  P: /devices/platform/hub/iio:device0
  E: DEVTYPE=iio_device
  E: SUBSYSTEM=iio
  E: ACCEL_MOUNT_MATRIX=0, 1, 0; 1, 0, 0; 0, 0, 1
  E: ACCEL_LOCATION=display
  A: name=accel_3d\\n
  A: in_accel_x_raw=0\\n
  A: in_accel_y_raw=-1000\\n
  A: in_accel_z_raw=0\\n
  A: in_accel_scale=0.009806\\n
  A: in_accel_sampling_frequency=10.000000\\n
  A: buffer/enable=0\\n
  A: trigger/current_trigger=accel_3d-dev0\\n
  \(hubScanElements)

  P: /devices/platform/hub/trigger0
  E: DEVTYPE=iio_trigger
  E: SUBSYSTEM=iio
  A: name=accel_3d-dev0\\n

  P: /devices/platform/chip/iio:device1
  E: DEVTYPE=iio_device
  E: SUBSYSTEM=iio
  A: name=kxcjk1013\\n
  A: label=accel-base\\n
  A: in_accel_x_raw=0\\n
  A: in_accel_y_raw=1024\\n
  A: in_accel_z_raw=0\\n
  A: in_accel_scale=0.009577\\n
  A: in_accel_mount_matrix=1, 0, 0; 1, 0, 0; 0, 0, 1\\n
  A: in_accel_sampling_frequency=12.500000\\n
  A: sampling_frequency_available=0.781000 12.500000 50.000000\\n

  P: /devices/platform/als/iio:device2
  E: DEVTYPE=iio_device
  E: SUBSYSTEM=iio
  A: name=als\\n
  A: in_illuminance_raw=0\\n

  """

/// A compass with two headings of the same north, for which libiio refuses the machine.
private let oddCompass = """
  P: /devices/platform/compass/iio:device3
  E: DEVTYPE=iio_device
  E: SUBSYSTEM=iio
  A: name=magn_3d\\n
  A: scan_elements/in_rot_from_north_magnetic_en=0\\n
  A: scan_elements/in_rot_from_north_magnetic_tilt_comp_en=0\\n

  """
