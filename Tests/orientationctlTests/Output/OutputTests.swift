// SPDX-License-Identifier: Apache-2.0

import DaemonClient
import Following
import Orientation
import Systemd
import Testing

@testable import Monitoring
@testable import OrientationctlKit

@Suite("orientationctl's output")
struct OutputTests {
  @Test("quotes what JSON does not take in a string")
  func json() throws {
    let text = "\"back\\slash\" \n\t\u{1} ü 😀"
    let value = JSON.object([
      ("a", .string(text)), ("b", .number(.nan)), ("c", .array([.null])),
    ])
    let read = try object(value.text)
    #expect(read["a"] as? String == text)
    #expect(value.text.hasSuffix("\"b\":null,\"c\":[null]}"))
  }

  @Test("escapes in JSON what would do something to a terminal, and reads it back the same")
  func hostileJSON() throws {
    let text = "\(hostileName)\u{9b}\u{7f}\u{2028}\u{e0041}ü😀"
    let value = JSON.object([("a", .string(text))])
    #expect(isHarmless(value.text))
    #expect(
      value.text
        == #"{"a":"acc\u001b[2J\nMESSAGE=x\u0000y\u202e\u009b\u007f\u2028\udb40\udc41ü😀"}"#)
    #expect(try object(value.text)["a"] as? String == text)
  }

  @Test(
    "escapes in JSON the marks that would reach other lines or the quotation mark, and reads them back the same"
  )
  func hostileMarks() throws {
    let mark = "\u{301}"
    let text = mark + "a" + String(repeating: mark, count: 7) + "\n" + mark
    let value = JSON.string(text).text
    #expect(
      value.utf8.elementsEqual(
        (#""\u0301a"# + String(repeating: mark, count: 5) + #"\u0301\u0301\n"# + mark + "\"").utf8))
    #expect(value.printableLines.utf8.elementsEqual(value.utf8))
    let read = try object(JSON.object([("a", .string(text))]).text)
    #expect((read["a"] as? String)?.utf8.elementsEqual(text.utf8) == true)
  }

  @Test("escapes in a picture what begins an element, also with a mark on it")
  func hostilePicture() {
    var picture = SVGPicture(width: 1, height: 1)
    picture.text("<\u{483}a>\u{301}&\u{301}", x: 0, y: 0)
    #expect(picture.text.unicodeScalars.split(separator: "<").count == 5)
    #expect(picture.text.contains("&lt;\u{483}a&gt;\u{301}&amp;\u{301}</text>"))
  }

  @Test("has a name on one line of a table and of a change, whatever it holds")
  func hostileTable() {
    var table = FieldTable()
    table.add("Sensor", hostileName)
    #expect(table.text() == "Sensor  \(shownName)\n")
  }

  @Test("highlights in a table only what is wrong, and only if asked to")
  func highlighting() {
    var table = FieldTable()
    table.add("A", "right")
    table.add("Sensor", "none", isWrong: true)
    #expect(table.text() == "A       right\nSensor  none\n")
    #expect(table.text(isHighlighting: true) == "A       right\nSensor  \u{1b}[1;31mnone\u{1b}[0m\n")
  }

  @Test("has a name in an error in one line, and lines of its own")
  func hostileErrors() {
    let error = BusError(name: "org.freedesktop.DBus.Error.AccessDenied", message: hostileName)
    var options = BusOptions()
    options.isUser = true
    let told = CommandError(error, options: options).description
    #expect(told.hasPrefix("not authorized: \(shownName)\n"))
    #expect(CommandError("a\u{1b}\nb").description == "a\\u{1b}\nb")
  }

  @Test("breaks prose for a terminal between its words, and no line that is indented, such as a command")
  func prose() {
    let command = "    sudo systemctl enable --now orientationd-motion.socket"
    let text = "Error: nobody listens at the socket; to enable it:\n\n\(command)\n"
    #expect(
      text.brokenProse(at: 20)
        == "Error: nobody\nlistens at the\nsocket; to enable\nit:\n\n\(command)\n")
    #expect(text.brokenProse(at: 80) == text)
  }

  @Test("shows numbers of any size, which a driver, a bus and a recording can say")
  func absurdDecimals() {
    #expect(decimal(1e300, places: 3) == "1e+300")
    #expect(decimal(-1e23, places: 6) == "-1e+23")
    #expect(decimal(1e18, places: 0) == "1000000000000000000")
    #expect([Double.infinity, -.infinity, .nan].map { decimal($0, places: 2) } == ["inf", "-inf", "nan"])
    #expect([1e300, 1.5e300, .infinity].map(shortDecimal) == ["1e+300", "1.5e+300", "inf"])
  }

  @Test(
    "shows an instant of any size, which a bus can say",
    arguments: [.min, -1, 0, .max, .max / 1000 * 1000] as [Int64])
  func absurdInstants(nanoseconds: Int64) {
    let time = WallTime(BootTime(nanoseconds: nanoseconds))
    #expect(time.timeOfDay.count == "14:03:22.118".count)
    #expect(time.rfc3339.count == "2026-11-21T14:03:22.118+01:00".count)
  }

  @Test("rounds decimals")
  func decimals() {
    #expect(decimal(12.34, places: 3) == "12.340")
    #expect(decimal(-0.0004, places: 3) == "0.000")
    #expect(decimal(-0.25, places: 2) == "-0.25")
    #expect(decimal(99.9996, places: 3) == "100.000")
    #expect([25, 12.5, 0.781, 100].map(shortDecimal) == ["25", "12.5", "0.781", "100"])
  }

  @Test(
    "advises who may not do something, with advice that can help: sudo helps neither root nor on the session bus"
  )
  func authorizationHint() {
    let page = "see AUTHORIZATION in orientationd(8)"
    func hint(isRoot: Bool, isUserBus: Bool) -> String {
      CommandError.authorizationHint(command: "rotate device", isRoot: isRoot, isUserBus: isUserBus)
    }
    #expect(
      hint(isRoot: false, isUserBus: false) == "\(page), or try:\n\n    sudo orientationctl rotate device")
    #expect(hint(isRoot: true, isUserBus: false) == page)
    #expect(hint(isRoot: false, isUserBus: true) == page)
  }

  @Test("names an interface with how the device is held on which it is upright")
  func interfaceMeanings() throws {
    for device in DeviceOrientation.allCases.filter(\.isValidInterfaceOrientation) {
      let (interface, meaning) = try (
        #require(InterfaceOrientation(uprightOn: device)), #require(device.meaning)
      )
      #expect(interface.nameWithMeaning(on: nil) == "\(interface.name) (\(meaning))")
    }
    #expect(InterfaceOrientation.unknown.nameWithMeaning(on: .landscapeLeft) == "unknown")
    #expect(
      InterfaceOrientationMask.landscape.namesWithMeaning(on: .portrait) == [
        "landscapeRight (right edge up)", "landscapeLeft (left edge up)",
      ])
  }

  @Test("names the edges of a panel that is wider than high as a person sees them")
  func edgesOfWidePanel() {
    var screen = ScreenSnapshot()
    screen.orientation = .landscapeRight
    #expect(screen.lockSentence == "rotation is unlocked; the interface is in landscapeRight (top edge up)")
    screen.lock = .locked
    #expect(screen.lockSentence == "rotation is locked in landscapeRight (top edge up)")
    screen.lock = .unlocked
    let before = screen
    (screen.orientation, screen.transform) = (.portrait, "90")
    #expect(
      ChangePrinter.changes(from: before, to: screen).map(\.text) == [
        "interface portrait (left edge up), transform 90"
      ])
    #expect(
      DeviceOrientation.landscapeLeft.nameWithMeaning(on: .landscapeLeft) == "landscapeLeft, top edge up")
    #expect(DeviceOrientation.faceUp.nameWithMeaning(on: .landscapeLeft) == "faceUp, screen up")
  }

  @Test("says why an interface stays as it is", arguments: [TabletMode.laptop, .tablet, .unknown])
  func stays(mode: TabletMode) {
    var screen = ScreenSnapshot()
    (screen.orientation, screen.tabletMode) = (.portrait, mode.rawValue)
    let turned = CommandError.stays(screen, on: .landscapeLeft).description
    #expect(turned.contains("stays in portrait (top edge up): "))
    #expect(turned.contains("FollowIn=tablet") == (mode == .laptop))
    #expect(CommandError.stays(screen, on: .faceUp).description.contains("the device is held in faceUp"))
  }

  @Test("tells of each thing that changes about the screen, the cause before the effect")
  func screenChanges() {
    let before = ScreenSnapshot()
    var after = before
    #expect(ChangePrinter.changes(from: before, to: after).isEmpty)
    after.transform = "90"
    #expect(
      ChangePrinter.changes(from: before, to: after).map(\.text) == ["interface unknown, transform 90"])
    (after.lock, after.orientation) = (.locked, .landscapeLeft)
    (after.supported, after.tabletMode) = (.landscape, "tablet")
    #expect(
      ChangePrinter.changes(from: before, to: after).map(\.text) == [
        "rotation locked", "supported landscapeRight (right edge up), landscapeLeft (left edge up)",
        "tablet mode tablet",
        "interface landscapeLeft (left edge up), transform 90",
      ])
  }

  @Test("says what becomes of the sensor, and nothing of what a person does not care for")
  func sensorNews() {
    func device(_ name: String, _ status: String) -> DeviceSnapshot {
      var device = DeviceSnapshot()
      (device.hasAccelerometer, device.sensorName, device.sensorStatus) = (!name.isEmpty, name, status)
      return device
    }
    func news(_ before: DeviceSnapshot, _ now: DeviceSnapshot) -> String? { now.sensorNotice(after: before) }
    let absent = device("", "absent")
    let failed = "the sensor a cannot be read; retrying periodically (see the journal)"
    #expect(
      absent.sensorNotice == "no accelerometer found; waiting for one to appear (see orientationctl sensors)")
    #expect(device("a", "idle").sensorNotice == "listening to the sensor a")
    #expect(device("a", "failed").sensorNotice == failed)
    #expect(news(absent, absent) == nil)
    #expect(news(absent, device("a", "starting")) == "the sensor a has appeared")
    #expect(
      news(device("a", "active"), absent) == "the sensor a was removed; waiting for one to appear")
    #expect(news(device("a", "active"), device("b", "active")) == "listening to the sensor b")
    #expect(news(device("a", "active"), device("a", "silent")) == "the sensor a delivers nothing")
    #expect(news(device("a", "silent"), device("a", "failed")) == failed)
    #expect(news(device("a", "failed"), device("a", "active")) == "the sensor a works again")
    #expect(news(device("a", "failed"), device("a", "idle")) == nil)
    #expect(news(device("a", "starting"), device("a", "active")) == nil)
  }
}
