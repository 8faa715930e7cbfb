// SPDX-License-Identifier: Apache-2.0

// The daemon rotates the interface, for all apps. An app that has rules of its own gives them to the daemon as a hold, while it is
// in the foreground; `AppHold` calls the daemon, one call at a time. What to hold is decided at once whenever rules change, and the
// calls follow. When the screen reports another orientation, the visible views hear of it.

public import Orientation

/// Gives an app's interface the orientations that its views are made for: what UIKit does with the tree of view controllers.
///
/// The front-most view decides: the one presented last, or the root; of a container, its visible child. The rules of application,
/// window and device limit it, as in ``InterfaceOrientationPolicy``. The controller holds the interface at the screen while these
/// rules are narrower than all orientations, or while the app has placed the front-most view, by its presentation or by hand; but
/// never in the background.
///
/// All calls return at once. What comes of them is reported by ``transitions`` and ``problems``; ``settled()`` waits for it.
@MainActor
public final class InterfaceOrientationController {
  private let screen: any InterfaceOrientationScreen
  private let hold: AppHold
  private var worker: Task<Void, Never>?
  private var following: Task<Void, Never>?

  /// The screen's state that was read last.
  private var seen: ScreenState
  /// Whether the app has come to the foreground, and people have not seen its interface since.
  private var isReturning = true
  private var wantsRotationToDevice = false
  /// The conflict of the present rules, which is reported once.
  private var conflict: InterfaceOrientationConflict?
  private var placement: Placement?
  /// How often a view was placed that autorotates.
  private var starts = 0

  private let events = ControllerEvents<InterfaceOrientationEvent>()
  private let problemEvents = ControllerEvents<InterfaceOrientationProblem>()

  /// Where the app has put a view, by its presentation, by hand, or because it does not autorotate.
  private struct Placement {
    weak var view: (any InterfaceOrientationView)?
    let orientation: InterfaceOrientation
    /// The number of the start from which the view follows the device; nil if it stays, because it does not autorotate.
    let start: Int?
  }

  /// Creates the controller of an app in the foreground.
  ///
  /// - Parameters:
  ///   - screen: the screen that shows the app.
  ///   - application: the app's id, such as `org.example.Player`, which people see with its holds; 1 to 255 bytes.
  ///   - root: the view behind all that are presented.
  ///   - applicationOrientations: what the app supports.
  ///   - windowOrientations: what its window supports.
  public init(
    screen: any InterfaceOrientationScreen, application: String, root: any InterfaceOrientationView,
    applicationOrientations: InterfaceOrientationMask = .all,
    windowOrientations: InterfaceOrientationMask = .all
  ) {
    self.screen = screen
    self.root = root
    self.applicationOrientations = applicationOrientations
    self.windowOrientations = windowOrientations
    hold = AppHold(screen, application: application)
    seen = screen.screenState
    interfaceOrientation = seen.interface
    enterForeground()
  }

  isolated deinit {
    following?.cancel()
    if isActive { screen.endGeneratingDeviceOrientationNotifications() }
    // The hold ends with its last reference.
  }

  // MARK: What the app is told

  /// The orientation of the interface as the views know it; unknown before the daemon has reported one.
  ///
  /// It changes between the `will` and the `did` of a transition, and keeps its value in the background.
  public private(set) var interfaceOrientation: InterfaceOrientation

  /// Each transition from now on, for any number of readers; of those that are not read yet, the newest 32 events.
  public var transitions: AsyncStream<InterfaceOrientationEvent> { events.stream }

  /// Each problem from now on, for any number of readers; of those that are not read yet, the newest 32.
  public var problems: AsyncStream<InterfaceOrientationProblem> { problemEvents.stream }

  /// The newest problem; nil if there was none.
  ///
  /// A conflict of rules is here when the call that has caused it returns, a refusal by the daemon after ``settled()``.
  public private(set) var lastProblem: InterfaceOrientationProblem?

  /// Returns when nothing of what was requested is left to do.
  public func settled() async {
    while let worker { await worker.value }
  }

  // MARK: The app's rules

  /// The view behind all that are presented.
  public var root: any InterfaceOrientationView {
    didSet { setNeedsUpdateOfSupportedInterfaceOrientations() }
  }

  /// What the app supports: UISupportedInterfaceOrientations.
  public var applicationOrientations: InterfaceOrientationMask {
    didSet { setNeedsUpdateOfSupportedInterfaceOrientations() }
  }

  /// What the window supports: application(_:supportedInterfaceOrientationsFor:).
  public var windowOrientations: InterfaceOrientationMask {
    didSet { setNeedsUpdateOfSupportedInterfaceOrientations() }
  }

  /// Whether the app is in the foreground.
  ///
  /// In the background it has neither a hold nor a subscription to the device's orientation, and reports no transitions.
  public var isActive = true {
    didSet {
      guard isActive != oldValue else { return }
      if isActive { enterForeground() } else { enterBackground() }
    }
  }

  /// The presented views, the front-most last; empty if the root is in front.
  public private(set) var presentedViews: [any InterfaceOrientationView] = []

  /// Presents a view on the whole screen, in front of all others, in the orientation that it prefers.
  public func present(_ view: any InterfaceOrientationView) {
    presentedViews.append(view)
    update(isPresentation: true)
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
    wantsRotationToDevice = isActive
    update()
  }

  /// Rotates the interface by hand, as long as the present view is in front.
  ///
  /// A view that autorotates follows the next turn of the device. Another orientation than the supported ones is reported as
  /// ``InterfaceOrientationProblem/unsupportedRotation(to:supported:)``. The person's choices are not changed.
  public func rotate(to orientation: InterfaceOrientation) {
    let view = visibleViews.last ?? root
    let policy = policy(of: view, isPresentation: false)
    let supported = (try? policy.supportedInterfaceOrientations) ?? []
    guard supported.contains(orientation) else {
      return report(.unsupportedRotation(to: orientation, supported: supported))
    }
    place(view, in: orientation, thenFollowsDevice: policy.shouldAutorotate)
    update()
  }

  // MARK: Deciding

  /// The front-most view and its visible children, outermost first.
  private var visibleViews: [any InterfaceOrientationView] { (presentedViews.last ?? root).chain }

  private func policy(
    of view: any InterfaceOrientationView, isPresentation: Bool
  ) -> InterfaceOrientationPolicy {
    var policy = InterfaceOrientationPolicy()
    policy.device.supportedInterfaceOrientations = screen.screenState.supported
    policy.app.supportedInterfaceOrientations = applicationOrientations
    policy.window.supportedInterfaceOrientations = windowOrientations
    policy.view = InterfaceOrientationRules(
      shouldAutorotate: view.shouldAutorotate,
      supportedInterfaceOrientations: view.supportedInterfaceOrientations,
      preferredInterfaceOrientation: isPresentation ? view.preferredInterfaceOrientationForPresentation : nil)
    return policy
  }

  private var situation: InterfaceSituation {
    let state = screen.screenState
    let fixed = placement.flatMap { $0.start == nil ? $0.orientation : nil }
    return InterfaceSituation(
      interface: fixed ?? interfaceOrientation, device: state.device, isRotationLocked: state.isRotationLocked
    )
  }

  private func update(isPresentation: Bool = false) {
    hold.retry()
    decide(isPresentation: isPresentation)
    work()
  }

  /// Decides what to hold by the present rules.
  private func decide(isPresentation: Bool = false) {
    let views = visibleViews
    for case let container as any InterfaceOrientationContainer in views { container.controller = self }
    let view = views.last ?? root
    if placement?.view !== view { placement = nil }
    let policy = policy(of: view, isPresentation: isPresentation)
    if isPresentation, let preference = policy.unsupportedPreference {
      report(.unsupportedPreference(preference))
    }
    do throws(InterfaceOrientationConflict) {
      let wanted = try orientationsToHold(for: view, by: policy, isPresentation: isPresentation)
      conflict = nil
      hold.wanted = isActive ? wanted : nil
    } catch {
      if conflict != error { report(.conflict(error)) }
      conflict = error
      hold.wanted = isActive ? only(interfaceOrientation) : nil
      hold.home = nil
    }
  }

  /// What to hold for a view; nil if nothing.
  private func orientationsToHold(
    for view: any InterfaceOrientationView, by policy: InterfaceOrientationPolicy, isPresentation: Bool
  ) throws(InterfaceOrientationConflict) -> AppHold.Wanted? {
    let situation = situation
    let decision =
      isPresentation
      ? try policy.present(in: situation)
      : try policy.setNeedsUpdateOfSupportedInterfaceOrientations(in: situation)
    let orientation = decision.orientation(in: situation)
    let preferred = policy.unsupportedPreference == nil ? policy.preferredInterfaceOrientation : nil
    hold.home = nil
    guard policy.shouldAutorotate else {
      // Before the daemon has reported an orientation, there is none in which a view could stay.
      guard situation.interface != .unknown || orientation == preferred else { return nil }
      place(view, in: orientation, thenFollowsDevice: false)
      return only(orientation)
    }
    if let preferred, preferred != .unknown {
      place(view, in: preferred, thenFollowsDevice: true)
    } else if placement?.start == nil {
      placement = nil
    }
    hold.home = InterfaceOrientation(uprightOn: situation.device)
      .flatMap { (try? policy.supportedInterfaceOrientations)?.contains($0) == true ? $0 : nil }
    // The daemon adds the device's own rules, which may change at any time.
    let supported = InterfaceOrientationMask.all.intersection(applicationOrientations)
      .intersection(windowOrientations).intersection(view.supportedInterfaceOrientations)
    let start = placement.flatMap { placement in
      placement.start.map { AppHold.Start(orientation: placement.orientation, number: $0) }
    }
    return supported == .all && start == nil ? nil : AppHold.Wanted(orientations: supported, start: start)
  }

  private func place(
    _ view: any InterfaceOrientationView, in orientation: InterfaceOrientation, thenFollowsDevice: Bool
  ) {
    if thenFollowsDevice { starts += 1 }
    placement = Placement(view: view, orientation: orientation, start: thenFollowsDevice ? starts : nil)
  }

  /// What holds the interface to one orientation; nil if that is not known yet.
  private func only(_ orientation: InterfaceOrientation) -> AppHold.Wanted? {
    orientation == .unknown ? nil : AppHold.Wanted(orientations: InterfaceOrientationMask(orientation))
  }

  private func report(_ problem: InterfaceOrientationProblem) {
    lastProblem = problem
    problemEvents.send(problem)
  }

  // MARK: The screen

  private func enterForeground() {
    isReturning = true
    screen.beginGeneratingDeviceOrientationNotifications()
    let states = screen.screenStates
    following = Task { [weak self] in
      for await _ in states { self?.screenChanged() }
    }
    update()
  }

  private func enterBackground() {
    following?.cancel()
    following = nil
    wantsRotationToDevice = false
    screen.endGeneratingDeviceOrientationNotifications()
    update()
  }

  /// Calls the screen until it does what was decided last.
  private func work() {
    guard worker == nil else { return }
    worker = Task {
      repeat {
        await callScreen()
        readScreen()
      } while hold.isUnsettled || wantsRotationToDevice
      isReturning = false
      worker = nil
    }
  }

  private func callScreen() async {
    if hold.isUnsettled {
      let orientations = hold.wanted?.orientations
      do throws(OrientationError) {
        try await hold.step()
      } catch {
        report(.holdRefused(error, orientations: orientations ?? []))
      }
    } else if wantsRotationToDevice {
      wantsRotationToDevice = false
      await rotateToDevice()
    }
  }

  private func rotateToDevice() async {
    let policy = policy(of: visibleViews.last ?? root, isPresentation: false)
    // A conflict was reported when it was found.
    guard case .rotate? = try? policy.attemptRotationToDeviceOrientation(in: situation) else { return }
    do throws(OrientationError) {
      _ = try await screen.attemptRotationToDeviceOrientation()
    } catch {
      report(.rotationRefused(error))
    }
  }

  private func screenChanged() {
    readScreen()
    if hold.isUnsettled { work() }
  }

  /// Shows the screen's present state, which may be newer than the one that was reported.
  private func readScreen() {
    guard isActive else { return }
    let state = screen.screenState
    show(state.interface)
    guard state != seen else { return }
    if state.supported != seen.supported { hold.retry() }
    hold.retryAfterSilence()
    seen = state
    decide()
  }

  private func show(_ orientation: InterfaceOrientation) {
    // Back in the foreground, the interface is first seen in an orientation of its own, not in one that another app has left.
    if isReturning, hold.isUnsettled, let wanted = hold.wanted, !wanted.orientations.contains(orientation) {
      return
    }
    guard orientation != .unknown else { return }
    let transition = InterfaceOrientationTransition(
      from: interfaceOrientation, to: orientation, mayBeAnimated: !isReturning)
    guard let transition else {
      interfaceOrientation = orientation
      return
    }
    let views = visibleViews
    for view in views { view.interfaceOrientationWillChange(transition) }
    events.send(.will(transition))
    interfaceOrientation = orientation
    for view in views { view.interfaceOrientationDidChange(transition) }
    events.send(.did(transition))
  }
}

extension InterfaceOrientationDecision {
  /// The orientation after the decision.
  fileprivate func orientation(in situation: InterfaceSituation) -> InterfaceOrientation {
    switch self {
    case .stay: situation.interface
    case .rotate(let orientation): orientation
    }
  }
}
