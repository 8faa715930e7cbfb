// SPDX-License-Identifier: Apache-2.0

import Adwaita
import CAdwaita
import DaemonClient
import Orientation
import OrientationClient

/// The window: what it shows of the daemon while somebody can see it, and what its buttons do.
@MainActor
final class SettingsWindow {
  /// How often readings come for the picture.
  private static let interval = Duration.milliseconds(100)
  /// After how many seconds without a picture that was drawn nobody can see the window.
  private static let unseenSeconds = 2

  private let widgets = Widgets(windowLayout)
  private let device: OrientationDevice
  private let rotation: DesktopRotation
  private let motion: MotionManager
  private let picture: PictureView
  private let page: TaskPage
  private var last = DeviceSnapshot()
  /// Whether readings come for the picture, or may come soon.
  private var hasReadings = true
  /// What reads the daemon while the window can be seen.
  private var reading: [Task<Void, Never>] = []
  private var secondsSinceDrawn = 0
  /// What the lock was last shown as, or asked for by the person.
  private var lock: RotationLock?
  /// How readily the screen turns, as the daemon says.
  private var responsiveness: Responsiveness?
  /// Who turns the screen, and the text for that.
  private var followers: (of: [String], text: String) = ([], "")
  /// The steps that are on the page, and whether they end with the daemon.
  private var steps: (task: Task<Void, Never>, needDaemon: Bool)?

  /// Creates the window, which shows a device and its readings.
  init(device: OrientationDevice, motion: MotionManager) {
    self.device = device
    rotation = DesktopRotation(of: device)
    self.motion = motion
    picture = PictureView(in: widgets["picture"])
    page = TaskPage(widgets, living: picture)
    connect()
    start { [unowned self] in await watchDaemon() }
  }

  /// Shows it.
  func present(in application: Widget) { ui_present(widgets["window"].pointer, application.pointer) }

  private func connect() {
    page.abandoned = { [unowned self] in steps?.task.cancel() }
    for picture in [picture, page.picture] { picture.wasDrawn = { [unowned self] in wasSeen() } }
    widgets["lock"].on("notify::active") { [unowned self] in lockPressed() }
    widgets["responsiveness"].on("notify::selected") { [unowned self] in responsivenessChosen() }
    widgets["calibrate"].on("activated") { [unowned self] in calibrate() }
    widgets["forget"].on("activated") { [unowned self] in begin(forget) }
    let report = ReportSteps(page: page, window: widgets["window"])
    widgets["report"].on("activated") { [unowned self] in begin(needingDaemon: false, report.run) }
    widgets["window"].on("realize") { [unowned self] in
      surface.on("layout") { [unowned self] in wasResized() }
    }
    widgets["window"].on("map") { [unowned self] in startReading() }
    widgets["window"].on("unmap") { [unowned self] in stopReading() }
  }

  /// What the window is drawn on, once it was realized.
  private var surface: Widget { Widget(pointer: ui_surface(widgets["window"].pointer)) }

  /// Wide windows have the picture beside the rows and the words.
  private func wasResized() {
    let isWide = surface.number("width") > surface.number("height")
    let orientation = isWide ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL
    // Not while GTK computes the places of the widgets.
    start { [unowned self] in
      for box in [widgets["home"], widgets["task-body"]] {
        box.set("orientation", CInt(orientation.rawValue))
        box.set("homogeneous", isWide)
      }
      widgets["picture"].set("vexpand", isWide)
    }
  }

  // MARK: What the daemon tells

  private func watchDaemon() async {
    for await state in device.daemonStates {
      guard case .unavailable(let error) = state else {
        if state == .running, steps == nil { show("home") }
        if state == .running { await showPermission() }
        continue
      }
      widgets["unavailable"].setEscaped(
        "description", "\(error.sentence.withLargeFirstLetter) This window goes on as soon as it does.")
      if steps?.needDaemon == false { continue }
      steps?.task.cancel()
      show("unavailable")
    }
  }

  private func showPermission() async {
    let permission = try? await rotation.permissionToSetLock()
    widgets["lock-row"].set("sensitive", permission != .denied)
    widgets["lock-row"].set(
      "subtitle", permission == .denied ? "This session may not change it" : "Keeps the screen as it is")
  }

  private func show(_ name: String) {
    // Screen readers of GTK 4.8 would read the other pages, too, if only the stack hid them.
    for page in ["unavailable", "home", "task"] { widgets[page].set("visible", page == name) }
    widgets["pages"].set("visible-child-name", name)
  }

  /// The picture was drawn, so the window can be seen.
  private func wasSeen() {
    secondsSinceDrawn = 0
    if reading.isEmpty { start { [unowned self] in startReading() } }
  }

  private func startReading() {
    guard reading.isEmpty, ui_is_mapped(widgets["window"].pointer) != 0 else { return }
    secondsSinceDrawn = 0
    reading = [
      start { [unowned self] in
        for await update in motion.gravityUpdates(every: Self.interval) { show(update) }
      },
      start { [unowned self] in
        for await device in device.deviceSnapshots { show(device) }
      },
      start { [unowned self] in
        for await screen in device.screenSnapshots { await show(screen) }
      },
      start { [unowned self] in await watchWhetherSeen() },
    ]
  }

  /// A still tablet is not drawn by itself: only a picture that is drawn each second shows whether anybody could see it.
  private func watchWhetherSeen() async {
    while true {
      await second()
      guard !Task.isCancelled else { return }
      secondsSinceDrawn += 1
      if secondsSinceDrawn > Self.unseenSeconds { return stopReading() }
      for picture in [picture, page.picture] { picture.redraw() }
    }
  }

  private func stopReading() {
    for task in reading { task.cancel() }
    reading = []
  }

  private func show(_ update: MotionUpdate<GravityData>) {
    switch update {
    case .value(let value):
      picture.pose.up = value.gravity.vector
    case .state(let state):
      hasReadings = state.problem == nil
      showOrientation()
      widgets["notice"].set("label", state.problem ?? "")
      widgets["notice"].set("visible", state.problem != nil)
    case .lost: break
    }
  }

  /// What the daemon has decided; without readings, the picture shows it, too.
  private func showOrientation() {
    let up = last.orientation.up
    picture.pose.isKnown = hasReadings || up != nil
    if !hasReadings, let up { picture.pose.up = up }
    // While rotation is locked, the daemon does not tell how the tablet is held: the picture alone does.
    let isLocked = rotation.lock == .locked
    let told = isLocked ? DeviceOrientation(rawValue: device.interfaceOrientation.rawValue) : last.orientation
    let words = told?.meaning(on: device.naturalOrientation ?? .portrait).map {
      isLocked ? "Locked: the screen stays as with the \($0)" : $0.withLargeFirstLetter
    }
    widgets["pose"].set("label", words ?? "It is not known yet how it is held")
  }

  private func show(_ device: DeviceSnapshot) {
    last = device
    showOrientation()
    let name = device.hasAccelerometer ? device.sensorName.shown : "No accelerometer"
    widgets["sensor-row"].set("title", name.isEmpty ? "Accelerometer" : name)
    widgets["sensor-row"].set("subtitle", device.verdict)
    widgets["warning-row"].set("visible", !device.sensorWarnings.isEmpty)
    widgets["warning-row"].set(
      "subtitle", device.sensorWarnings.prefix(5).map(\.shown).joined(separator: "\n"))
    widgets["mounting-row"].set("visible", !device.mountMatrix.isEmpty)
    widgets["mounting-row"].set("subtitle", device.mountingText)
    let isConfigured = device.matrixSource == .configuration
    widgets["calibrate"].set("sensitive", !device.mountMatrix.isEmpty && !isConfigured)
    widgets["calibrate"].set(
      "subtitle",
      isConfigured
        ? "The configuration has a MountMatrix=, which comes first"
        : "Three poses show how the sensor sits in the tablet"
    )
    widgets["forget"].set("visible", device.matrixSource == .calibration)
  }

  private func show(_ screen: ScreenSnapshot) async {
    let isLocked = screen.lock == .locked
    lock = screen.lock
    if widgets["lock"].isTrue("active") != isLocked { widgets["lock"].set("active", isLocked) }
    picture.pose.interfaceAngle = QuarterTurn(from: .portrait, to: screen.orientation)?.radians
    showOrientation()
    responsiveness = screen.responsiveness
    showResponsiveness()
    let isUnseen = screen.followers.isEmpty && screen.otherSensorProxy.isEmpty
    let hint =
      isUnseen ? "; see “A screen that does not turn although the sensor works” in orientationd(8)" : ""
    let turners = screen.followers + [screen.otherSensorProxy]
    if turners != followers.of {
      followers = (turners, await screen.followerText().shown.withLargeFirstLetter)
    }
    widgets["screen-row"].set("subtitle", followers.text + hint)
  }

  private func showResponsiveness() {
    let place = Responsiveness.allCases.firstIndex { $0 == responsiveness }
    widgets["responsiveness"].set("visible", place != nil)
    if let place { widgets["responsiveness"].set("selected", CInt(place)) }
  }

  // MARK: What the person does

  private func responsivenessChosen() {
    let place = widgets["responsiveness"].number("selected")
    guard Responsiveness.allCases.indices.contains(place), Responsiveness.allCases[place] != responsiveness
    else { return }
    start { [unowned self] in
      do throws(OrientationError) {
        try await device.setResponsiveness(Responsiveness.allCases[place])
      } catch {
        say("It turns as readily as before: \(error.sentence)")
        showResponsiveness()
      }
    }
  }

  private func lockPressed() {
    let lock: RotationLock = widgets["lock"].isTrue("active") ? .locked : .unlocked
    guard lock != self.lock else { return }
    self.lock = lock
    start { [unowned self] in
      do throws(OrientationError) {
        try await rotation.setLock(lock)
      } catch {
        say("The lock stays as it is: \(error.sentence)")
        self.lock = rotation.lock
        widgets["lock"].set("active", rotation.lock == .locked)
      }
    }
  }

  private func calibrate() {
    guard let natural = device.naturalOrientation, let matrix = try? MountMatrix(parsing: last.mountMatrix)
    else { return say("The service does not tell how the sensor sits in the tablet.") }
    guard rotation.lock != .locked else {
      return say("Unlock rotation first: while it is locked, nobody sees whether the screen turns rightly.")
    }
    guard last.matrixSource != .preview else { return say("Another calibration is on trial at present.") }
    let before = last
    begin(
      CalibrationSteps(
        page: page, device: device, motion: motion,
        mounting: MountingInUse(matrix: matrix, natural: natural),
        isUnchanged: { [unowned self] in last.hasMounting(of: before) }
      ).run)
  }

  private func forget() async -> String? {
    let step = TaskPage.Step(
      title: "Forget the calibration?", text: "The screen turns as before it was calibrated here.",
      primary: "Forget")
    guard await page.ask(step) == .primary else { return nil }
    do throws(OrientationError) {
      try await device.resetMountMatrix()
      return "The calibration is forgotten."
    } catch {
      return "It is not forgotten: \(error.sentence)"
    }
  }

  private func begin(
    needingDaemon needDaemon: Bool = true, _ run: @escaping @MainActor () async -> String?
  ) {
    guard steps == nil else { return }
    // It would lie above the buttons.
    ui_say(widgets["toasts"].pointer, nil)
    show("task")
    let task = start { [unowned self] in
      let result = await run()
      steps = nil
      show(device.daemonState == .running ? "home" : "unavailable")
      if let result { say(result) }
    }
    steps = (task, needDaemon)
  }

  /// Says something for a moment, also to screen readers.
  private func say(_ sentence: String) { ui_say(widgets["toasts"].pointer, sentence) }
}
