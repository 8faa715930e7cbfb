// SPDX-License-Identifier: Apache-2.0

// The daemon rotates the interface, for all apps. An app that has rules of its own gives them to the daemon as holds, while it is
// in the foreground. The flow: a change of the rules or of the screen's state leads to `decide`, which says at once what is to be
// held for the view in front; `AppHolds` makes the calls that lead there; the screen reports another orientation, and the visible
// views are notified.

public import Orientation

/// Gives an app's interface the orientations that its views are made for: what UIKit does with the tree of view controllers.
///
/// The front-most view decides: the one presented last, or the root; of a container, its visible child. The rules of application,
/// window and device limit it. The controller holds the interface at the screen while these rules are narrower than all orientations, or
/// while the app has placed the front-most view, by its presentation or by hand; but never in the background. A view behind keeps its hold, which does not count meanwhile: so it comes back as it would be without those in
/// front.
///
/// All calls return at once. What comes of them is reported by ``transitions`` and ``problems``; ``settled()`` waits for it. For this
/// the main actor has to run: in an app whose main loop is not Swift's, see <doc:MainLoops>.
@MainActor
public final class InterfaceOrientationController {
  private let screen: any InterfaceOrientationScreen
  private let holds: AppHolds
  private var worker: Task<Void, Never>?
  private var stateReader: Task<Void, Never>?
  /// The reader of before the app went to the background, which ends its subscription.
  private var endedReader: Task<Void, Never>?

  /// The screen's state that was read last.
  private var seen: ScreenState
  /// Whether the app has come to the foreground, and people have not seen its interface since.
  private var isReturning = true
  private var endOfReturn: Task<Void, Never>?
  /// How long to wait before what the daemon has refused is requested again: each time twice as long, up to a minute.
  private static let (firstPause, longestPause) = (Duration.seconds(5), Duration.seconds(60))
  private var pause = firstPause
  private var repetition: Task<Void, Never>?
  private var wantsRotationToDevice = false
  /// Whether views are being asked for their rules.
  private var isAsking = false
  /// An update that was requested meanwhile; nil if none was.
  private var deferredUpdate: Update?
  /// Whether it was reported that nothing turns the screen, and nothing has since.
  private var isNotTurned = false
  /// The conflict of the present rules, which is reported once.
  private var conflict: InterfaceOrientationConflict?

  /// The events that are kept for a reader that is late: the newest.
  private static let keptEvents = 32
  private let transitionEvents = Readers<InterfaceOrientationTransition>()
  private let problemEvents = Readers<InterfaceOrientationProblem>()

  /// Why it is decided again what to hold.
  private enum Update {
    case rules
    case presentation
  }

  /// Creates the controller of an app in the foreground.
  ///
  /// - Parameters:
  ///   - screen: the screen that shows the app.
  ///   - application: the app's id, such as `org.example.Player`, which people see with its holds; 1 to 255 bytes, without
  ///     characters that cannot be printed.
  ///   - root: the view behind all that are presented.
  ///   - applicationOrientations: what the app supports.
  ///   - windowOrientations: what its window supports instead; nil for what the app supports.
  public init(
    screen: any InterfaceOrientationScreen, application: String, root: any InterfaceOrientationView,
    applicationOrientations: InterfaceOrientationMask = .all,
    windowOrientations: InterfaceOrientationMask? = nil
  ) {
    self.screen = screen
    self.root = root
    self.applicationOrientations = applicationOrientations
    self.windowOrientations = windowOrientations
    holds = AppHolds(screen, application: application)
    seen = screen.screenState
    interfaceOrientation = seen.interface
    Self.windows.removeAll { $0.controller == nil }
    Self.windows.append(Window(controller: self))
    holds.others = { [weak self] in self?.others.map(\.holds) ?? [] }
    enterForeground()
  }

  isolated deinit {
    stateReader?.cancel()
    endOfReturn?.cancel()
    repetition?.cancel()
    // Another window releases the holds, after it has taken its own if it comes in place of this one; without another, they end with
    // their last references.
    guard let heir = others.first(where: { $0.holds.isTaking }) ?? others.first else { return }
    heir.holds.inherit(from: holds)
    heir.work()
  }

  // MARK: The app's other windows

  private struct Window { weak var controller: InterfaceOrientationController? }

  /// All controllers of this program; some may be gone.
  private static var windows: [Window] = []

  /// The other controllers on this screen.
  private var others: [InterfaceOrientationController] {
    Self.windows.compactMap(\.controller).filter { $0 !== self && $0.screen === screen }
  }

  // MARK: What the app is notified of

  /// The orientation of the interface as the views know it; unknown before the daemon has reported one.
  ///
  /// Views are called after it has changed. It keeps its value in the background.
  public private(set) var interfaceOrientation: InterfaceOrientation

  /// Each transition from now on, when it has happened, for any number of readers; of those that are not read yet, the newest 32.
  ///
  /// The first known orientation is a transition, too, unless the screen had one when the controller was made: views are laid out by
  /// ``interfaceOrientation`` first. A task that reads this captures the stream, so that it does not keep the controller:
  /// `Task { [transitions = controller.transitions] in … }`.
  public var transitions: AsyncStream<InterfaceOrientationTransition> {
    transitionEvents.stream(keeping: Self.keptEvents)
  }

  /// The newest problem so far, and each later one, for any number of readers; of those that are not read yet, the newest 32.
  ///
  /// A task that reads this captures the stream, as with ``transitions``.
  public var problems: AsyncStream<InterfaceOrientationProblem> {
    problemEvents.stream(keeping: Self.keptEvents, startingWith: lastProblem)
  }

  /// The newest problem, also if it has been solved since; nil if there was none.
  ///
  /// A conflict of rules is here when the call that has caused it returns, a refusal by the daemon after ``settled()``.
  public private(set) var lastProblem: InterfaceOrientationProblem?

  /// Returns when nothing of what was requested is left to do.
  public func settled() async {
    await endedReader?.value
    while let worker = worker ?? (holds.waits ? others.first { $0.holds.isTaking }?.worker : nil) {
      await worker.value
    }
  }

  // MARK: The app's rules

  /// The view behind all that are presented.
  public var root: any InterfaceOrientationView {
    didSet {
      if root !== oldValue { holds.forgetRoot() }
      setNeedsUpdateOfSupportedInterfaceOrientations()
    }
  }

  /// What the app supports: UISupportedInterfaceOrientations.
  public var applicationOrientations: InterfaceOrientationMask {
    didSet { setNeedsUpdateOfSupportedInterfaceOrientations() }
  }

  /// What the window supports instead of ``applicationOrientations``; nil for what the app supports.
  ///
  /// The answer of application(_:supportedInterfaceOrientationsFor:), which replaces the app's list in UIKit, too.
  public var windowOrientations: InterfaceOrientationMask? {
    didSet { setNeedsUpdateOfSupportedInterfaceOrientations() }
  }

  /// Whether people can see the window.
  ///
  /// In the background it has neither a hold nor a subscription to the device's orientation, and reports no transitions. A window that
  /// only loses the focus, to a notification or a menu, stays in the foreground: otherwise its interface would turn and turn back.
  /// If another window takes over, the interface goes from the one's orientation to the other's, in whichever order they are told: the
  /// hold of the first is released when the second has its own. They are windows of an app if they have the same object as their screen.
  /// Of two in the foreground, the newest hold counts.
  public var isInForeground = true {
    didSet {
      guard isInForeground != oldValue else { return }
      if isInForeground { enterForeground() } else { enterBackground() }
    }
  }

  /// The presented views, the front-most last; empty if the root is in front.
  public private(set) var presentedViews: [any InterfaceOrientationView] = []

  /// Presents a view on the whole screen, in front of all others, in the orientation that it prefers.
  ///
  /// - Parameter view: the view. Nothing happens if it is presented already.
  public func present(_ view: any InterfaceOrientationView) {
    guard !presentedViews.contains(where: { $0 === view }) else { return }
    presentedViews.append(view)
    update(.presentation)
  }

  /// Dismisses a presented view and all that are in front of it.
  ///
  /// - Parameter view: the view; by default, the front-most one. Nothing happens if it is not presented.
  public func dismiss(_ view: (any InterfaceOrientationView)? = nil) {
    guard let view = view ?? presentedViews.last,
      let index = presentedViews.lastIndex(where: { $0 === view })
    else { return }
    presentedViews.removeSubrange(index...)
    update()
  }

  /// Asks the views for their rules again: UIViewController's method of this name (iOS 16).
  ///
  /// Needed if a view answers differently than before; containers of this library and ``present(_:)`` call it themselves.
  public func setNeedsUpdateOfSupportedInterfaceOrientations() {
    update()
  }

  /// Rotates the interface to the device's orientation, if it follows the device and that orientation is supported.
  ///
  /// UIViewController's method of this name. It also overrides an orientation in which a view was presented, or that was set by hand.
  public func attemptRotationToDeviceOrientation() {
    wantsRotationToDevice = isInForeground
    update()
  }

  /// Rotates the interface by hand, as long as the present view is in front, and when it comes back: requestGeometryUpdate(_:) (iOS 16).
  ///
  /// A view that autorotates follows the next turn of the device. The person's choices are not changed. In the background, the view is
  /// shown so when the app comes back.
  ///
  /// - Parameter orientations: where the interface may go. Of those that are supported it takes the one that is upright on the device,
  ///   else it stays, else it takes the first.
  /// - Throws: ``InterfaceOrientationProblem``: `conflict` or `unsupportedRotation`, and nothing has changed. What the daemon refuses is
  ///   among the ``problems``, as after each call.
  public func rotate(to orientations: InterfaceOrientationMask) throws(InterfaceOrientationProblem) {
    let (view, shown) = bringToFront()
    let policy = policy(of: view, isPresentation: false)
    let possible: InterfaceOrientationMask
    do throws(InterfaceOrientationConflict) {
      possible = orientations.intersection(try policy.supportedInterfaceOrientations)
    } catch {
      throw .conflict(error)
    }
    let candidates = [screen.screenState.upright, situation(of: shown).interface, possible.first]
    guard let orientation = candidates.compactMap({ $0 }).first(where: { possible.contains($0) }) else {
      throw .unsupportedRotation(
        to: orientations, by: policy.claims(excluding: orientations.intersection(.all)))
    }
    wantsRotationToDevice = false
    shown.place(in: orientation, followsNextTurn: policy.shouldAutorotate, device: screen.screenState.device)
    update()
  }

  // MARK: Deciding

  /// The front-most view and its visible children, outermost first.
  private var visibleViews: [any InterfaceOrientationView] { (presentedViews.last ?? root).chain }

  /// Notes which view is in front now: it decides.
  private func bringToFront() -> (view: any InterfaceOrientationView, shown: ShownView) {
    let views = asking { visibleViews }
    for case let container as any InterfaceOrientationContainer in views { container.controller = self }
    let view = views.last ?? root
    return (view, holds.bringToFront(view, level: presentedViews.count))
  }

  private func policy(
    of view: any InterfaceOrientationView, isPresentation: Bool
  ) -> InterfaceOrientationPolicy {
    var policy = InterfaceOrientationPolicy()
    policy.supported[.device] = screen.screenState.supported
    if let windowOrientations {
      policy.supported[.window] = windowOrientations
    } else {
      policy.supported[.application] = applicationOrientations
    }
    asking {
      policy.shouldAutorotate = view.shouldAutorotate
      policy.supported[.view] = view.supportedInterfaceOrientations
      if isPresentation {
        policy.preferredInterfaceOrientation = view.preferredInterfaceOrientationForPresentation
      }
    }
    return policy
  }

  /// The present state, with the interface where the app has fixed it.
  private func situation(of shown: ShownView) -> ScreenState {
    var state = screen.screenState
    // Before people see the app, the screen may have an orientation that another app has left.
    let present =
      isInForeground && !isReturning && state.interface != .unknown ? state.interface : interfaceOrientation
    let fixed = shown.placement.flatMap { $0.followsNextTurn ? nil : $0.orientation }
    state.interface = fixed ?? present
    return state
  }

  private func update(_ update: Update = .rules) {
    // A view that asks for an update while it is asked for its rules gets it afterwards, once.
    guard !isAsking else {
      if deferredUpdate != .presentation { deferredUpdate = update }
      return
    }
    holds.retry()
    repetition?.cancel()
    pause = Self.firstPause
    decide(after: update)
    work()
  }

  /// Decides what to hold by the present rules, and once more if a view that was asked wants that.
  private func decide(after update: Update = .rules) {
    deferredUpdate = nil
    decideOnce(after: update)
    if let deferred = deferredUpdate { decideOnce(after: deferred) }
    deferredUpdate = nil
  }

  /// Asks views; what they request meanwhile is deferred.
  private func asking<Answer>(_ ask: () -> Answer) -> Answer {
    let wasAsking = isAsking
    isAsking = true
    defer { isAsking = wasAsking }
    return ask()
  }

  private func decideOnce(after update: Update) {
    let (view, shown) = bringToFront()
    holds.notice(screen.screenState)
    let policy = policy(of: view, isPresentation: update == .presentation)
    if update == .presentation, let preference = policy.unsupportedPreference {
      report(.unsupportedPreference(preference))
    }
    do throws(InterfaceOrientationConflict) {
      let orientation = try policy.orientation(in: situation(of: shown))
      conflict = nil
      let wanted =
        policy.shouldAutorotate ? holdToFollow(shown, policy) : holdToStay(shown, in: orientation, policy)
      holds.want(isInForeground ? wanted : nil)
    } catch {
      if conflict != error { report(.conflict(error)) }
      conflict = error
      // It stays where it was when the conflict began, whatever other apps do.
      holds.want(isInForeground ? holdToStay(shown, in: situation(of: shown).interface, policy) : nil)
    }
  }

  /// Has a view stay in an orientation, and says what to hold for that; nil if nothing.
  private func holdToStay(
    _ shown: ShownView, in orientation: InterfaceOrientation, _ policy: InterfaceOrientationPolicy
  ) -> AppHolds.Wanted? {
    shown.followed = []
    let situation = situation(of: shown)
    // Before the daemon has reported an orientation, there is none in which a view could stay.
    guard situation.interface != .unknown || orientation == policy.preferredInterfaceOrientation,
      orientation != .unknown
    else { return nil }
    if shown.placement?.followsNextTurn != false || shown.placement?.orientation != orientation {
      shown.place(in: orientation, followsNextTurn: false, device: situation.device)
    }
    // What the person does not allow is not held, but may be allowed again.
    guard screen.screenState.supported.contains(orientation) else { return nil }
    return AppHolds.Wanted(orientations: InterfaceOrientationMask(orientation))
  }

  /// Has a view follow the device, and says what to hold for that; nil if nothing.
  private func holdToFollow(_ shown: ShownView, _ policy: InterfaceOrientationPolicy) -> AppHolds.Wanted? {
    if shown.placement?.followsNextTurn == false { shown.endPlacement() }
    if let preferred = policy.preferredInterfaceOrientation, preferred != .unknown,
      policy.unsupportedPreference == nil
    {
      shown.place(in: preferred, followsNextTurn: true, device: screen.screenState.device)
    }
    // The daemon adds the device's own rules, which may change at any time.
    let supported = InterfaceOrientationMask.all.intersection(windowOrientations ?? applicationOrientations)
      .intersection(policy.supported[.view] ?? .all)
    shown.followed = supported
    let start = start(of: shown, among: supported)
    return supported == .all && start == nil ? nil : AppHolds.Wanted(orientations: supported, start: start)
  }

  /// Where a view that follows the device is to be first, if its hold would begin elsewhere: in the present orientation.
  private func start(of shown: ShownView, among supported: InterfaceOrientationMask) -> AppHolds.Start? {
    let allowed = supported.intersection(screen.screenState.supported)
    if let placement = shown.placement, allowed.contains(placement.orientation) {
      return AppHolds.Start(orientation: placement.orientation, placement: placement.number)
    }
    guard supported != .all, shown.held?.wanted.orientations != supported else { return nil }
    let state = screen.screenState
    if !supported.contains(state.interface) {
      // It has to move, and the daemon has it upright; if that is not possible, a view that comes back is to be as it was.
      if let upright = state.upright, allowed.contains(upright) { return nil }
      return allowed.contains(shown.orientation) ? AppHolds.Start(orientation: shown.orientation) : nil
    }
    let orientation = state.upright.flatMap { allowed.contains($0) ? $0 : nil } ?? shown.orientation
    guard allowed.contains(orientation), holds.keepsInterface(from: orientation) else { return nil }
    return AppHolds.Start(orientation: orientation)
  }

  private func report(_ problem: InterfaceOrientationProblem) {
    lastProblem = problem
    problemEvents.send(problem)
  }

  // MARK: The calls

  /// Calls the screen until it does what was decided last.
  private func work() {
    guard worker == nil else { return }
    worker = Task {
      repeat {
        await callScreen()
        readScreen()
        // Those that have waited for this one to take its hold.
        for other in others where other.holds.isUnsettled { other.work() }
      } while holds.isUnsettled || wantsRotationToDevice
      worker = nil
      checkIsTurned()
      rememberOrientation()
      endReturnIfSeen()
      repeatRefused()
    }
  }

  private func callScreen() async {
    if holds.isUnsettled {
      let before = screen.screenState
      do throws(OrientationError) {
        try await holds.step()
      } catch {
        report(.holdRefused(error, orientations: holds.refusal?.wanted.orientations ?? []))
      }
      // A hold begins in the present orientation, and follows only later turns. What the daemon did not know before is no turn.
      if before.device != .unknown, screen.screenState.upright != before.upright {
        wantsRotationToDevice = isInForeground
      }
    } else if wantsRotationToDevice {
      wantsRotationToDevice = false
      await rotateToDevice()
    }
  }

  private func rotateToDevice() async {
    let (view, shown) = bringToFront()
    let policy = policy(of: view, isPresentation: false)
    let placement = shown.placement?.number
    // A conflict was reported when it was found.
    let situation = situation(of: shown)
    guard let orientation = try? policy.orientation(in: situation),
      orientation != situation.interface
    else { return }
    do throws(OrientationError) {
      try await screen.attemptRotationToDeviceOrientation()
      // The app may have placed the view again meanwhile.
      if shown.placement?.number == placement { shown.endPlacement() }
      // What was decided as the screen turned, before this answer, had it placed still.
      decide()
    } catch {
      report(.rotationRefused(error))
    }
  }

  private func checkIsTurned() {
    if screen.screenState.isFollowed { isNotTurned = false }
    guard !screen.screenState.isFollowed, !isNotTurned, isInForeground, holds.isHolding else { return }
    isNotTurned = true
    report(.screenIsNotTurned)
  }

  /// Requests a refused hold again after a while, as the daemon does not report why it would grant it then.
  private func repeatRefused() {
    // What the person supports is reported.
    guard isInForeground, let refusal = holds.refusal, refusal.error.kind != .unsupportedOrientation,
      refusal.error.kind != .invalidArguments
    else { return }
    repetition?.cancel()
    repetition = Task { [weak self, pause] in
      try? await Task.sleep(for: pause)
      guard !Task.isCancelled, let self else { return }
      readScreen()
      // The call would have the bus start a daemon that was stopped, or cannot start. When one comes, the hold is requested again.
      guard seen.interface != .unknown else { return }
      holds.retry()
      work()
    }
    pause = min(pause * 2, Self.longestPause)
  }

  // MARK: The screen

  private func enterForeground() {
    isReturning = true
    endOfReturn = Task { [weak self] in
      try? await Task.sleep(for: .seconds(2))
      if !Task.isCancelled { self?.isReturning = false }
    }
    let states = screen.screenStates
    stateReader = Task { [weak self] in
      for await _ in states { self?.screenChanged() }
    }
    update()
  }

  private func enterBackground() {
    stateReader?.cancel()
    endedReader = stateReader
    stateReader = nil
    endOfReturn?.cancel()
    repetition?.cancel()
    wantsRotationToDevice = false
    update()
  }

  /// Ends the return to the foreground as soon as the interface is where the device wants it.
  private func endReturnIfSeen() {
    guard isReturning, isInForeground, worker == nil, screen.screenState.device != .unknown else { return }
    let (view, shown) = bringToFront()
    let policy = policy(of: view, isPresentation: false)
    let situation = situation(of: shown)
    let wanted = try? policy.orientation(in: situation)
    let isThere = wanted == nil || wanted == situation.interface
    guard isThere || shown.placement != nil else { return }
    isReturning = false
    endOfReturn?.cancel()
  }

  private func screenChanged() {
    readScreen()
    if holds.isUnsettled { work() }
    // The hold may have been granted before it was known who turns the screen.
    checkIsTurned()
    rememberOrientation()
    endReturnIfSeen()
  }

  /// Remembers where the view in front is, unless the interface is still where another one was.
  private func rememberOrientation() {
    guard isInForeground, !holds.isUnsettled else { return }
    bringToFront().shown.orientation = interfaceOrientation
  }

  /// Shows the screen's present state, which may be newer than the one that was reported.
  private func readScreen() {
    guard isInForeground else { return }
    let state = screen.screenState
    show(state.interface)
    guard state != seen else { return }
    if state.supported != seen.supported || (seen.interface == .unknown && state.interface != .unknown) {
      holds.retry()
    }
    seen = state
    decide()
  }

  private func show(_ orientation: InterfaceOrientation) {
    // Back in the foreground, the interface is first seen in an orientation of its own, not in one that another app has left.
    if isReturning, holds.isLeaving(orientation) { return }
    let transition = InterfaceOrientationTransition(
      from: interfaceOrientation, to: orientation, mayBeAnimated: !isReturning)
    guard let transition else { return }
    interfaceOrientation = orientation
    for view in visibleViews { view.interfaceOrientationDidChange(transition) }
    transitionEvents.send(transition)
  }
}
