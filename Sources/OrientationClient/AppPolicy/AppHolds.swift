// SPDX-License-Identifier: Apache-2.0

// What an app holds at the screen. Each view that was in front keeps its hold while a newer one covers it: the screen remembers the
// orientation of each, moves it on with the device, the lock and the person's hand, and shows it again when the newer hold is
// released. So the view behind comes back as it would be now, without anybody moving it. The calls are made one at a time, and after
// each one it is decided anew which is next, because the app may have changed its mind meanwhile.

import DaemonClient
import Orientation

/// The app's holds, and the views that they are for, the front-most last.
@MainActor
final class AppHolds {
  /// What the interface is to be held to.
  struct Wanted: Equatable {
    var orientations: InterfaceOrientationMask
    /// Where the interface is to go first, before it is free among the orientations.
    var start: Start?
  }

  /// The orientation in which a view begins.
  struct Start: Equatable {
    var orientation: InterfaceOrientation
    /// The number of the view's placement; 0 if it is only to begin upright.
    ///
    /// Another placement moves the interface again.
    var placement = 0
  }

  /// A hold that the screen has granted; views with the same rules, one in front of the other, share it.
  final class Granted {
    private(set) var wanted: Wanted
    /// Counts what was granted to all windows; the newest counts at the screen.
    let number: Int
    fileprivate let hold: any InterfaceOrientationHolding

    fileprivate init(_ wanted: Wanted, number: Int, hold: any InterfaceOrientationHolding) {
      self.wanted = wanted
      self.number = number
      self.hold = hold
    }

    /// Forgets where it began: the interface has moved on.
    func endStart() { wanted.start = nil }

    /// Whether it is what is wanted: the interface need not go to the same start again.
    fileprivate func satisfies(_ wanted: Wanted) -> Bool {
      self.wanted.orientations == wanted.orientations
        && (wanted.start == nil || wanted.start == self.wanted.start)
    }
  }

  /// How many holds the app keeps, in all windows; the daemon's limit for an app is 8, and ``superfluousLimit`` and a change add some
  /// for a moment.
  private static let limit = 4

  /// How many holds may wait to be released while others are taken.
  private static let superfluousLimit = 2

  private let screen: any InterfaceOrientationScreen
  private let application: String

  private var views: [ShownView] = []
  /// What is wanted for the front-most view; nil if nothing is to be held.
  private var wanted: Wanted?
  /// The hold that moves the interface to where the wanted one is to begin.
  private var placing: Granted?
  /// Holds to be released as soon as the front-most view has what is wanted, the oldest first: so none of them counts in between.
  private var superfluous: [Granted] = []
  private static var lastNumber = 0
  /// What the screen has refused, until it is requested again.
  private(set) var refusal: (wanted: Wanted, error: OrientationError)?

  init(_ screen: any InterfaceOrientationScreen, application: String) {
    self.screen = screen
    self.application = application
  }

  // MARK: What is wanted

  /// Brings a view to the front; those that were in front of it, and are not presented any more, are forgotten.
  ///
  /// - Parameters:
  ///   - view: the view.
  ///   - level: how many views are presented now.
  /// - Returns: what is known of it.
  func bringToFront(_ view: any InterfaceOrientationView, level: Int) -> ShownView {
    let index = views.lastIndex { $0.view === view && $0.level == level }
    let kept = views.indices.filter { number in
      number <= index ?? views.endIndex && views[number].level <= level && views[number].view != nil
    }
    let removed = views.indices.filter { !kept.contains($0) }.map { views[$0] }
    views = kept.map { views[$0] }
    for view in removed { drop(view) }
    if let front = views.last, front.view === view { return front }
    let front = ShownView(view, level: level)
    views.append(front)
    return front
  }

  /// Forgets the views that are not presented: the app has another root.
  func forgetRoot() {
    let forgotten = views.filter { $0.level == 0 }
    views.removeAll { $0.level == 0 }
    for view in forgotten { drop(view) }
  }

  /// Notes the screen's state, for the views behind the front-most one, too.
  func notice(_ state: ScreenState) {
    for view in views { view.notice(state) }
  }

  /// Says what to hold for the front-most view; nil for nothing: then the views behind it hold nothing either.
  func want(_ wanted: Wanted?) {
    self.wanted = wanted
    guard let wanted, let front = views.last else { return dropAll() }
    guard front.held == nil, wanted.start == nil, let below = views.dropLast().last?.held,
      below.wanted.orientations == wanted.orientations
    else { return }
    front.held = below
  }

  /// Whether a hold of the app keeps the interface from an orientation in which it would be otherwise.
  func keepsInterface(from orientation: InterfaceOrientation) -> Bool {
    let granted = views.compactMap(\.held) + superfluous + [placing].compactMap { $0 }
    guard let newest = granted.max(by: { $0.number < $1.number }) else { return false }
    return newest.wanted.start != nil || !newest.wanted.orientations.contains(orientation)
  }

  /// Whether the view in front has a hold.
  var isHolding: Bool { views.last?.held != nil }

  /// Whether the interface will leave an orientation as soon as the wanted hold is granted.
  func isLeaving(_ orientation: InterfaceOrientation) -> Bool {
    guard let wanted = next?.wanted else { return false }
    return !wanted.orientations.contains(orientation)
      || wanted.start.map { $0.orientation != orientation } == true
  }

  /// Requests a refused hold again at the next step.
  func retry() {
    refusal = nil
  }

  // MARK: The calls

  /// Whether a step is needed.
  var isUnsettled: Bool { isTaking || hasToRelease && !isAnotherTaking }

  /// Whether a hold is to be taken.
  var isTaking: Bool { next != nil }

  /// Whether another window of the app is to take a hold first, so that the interface is nowhere else in between.
  var waits: Bool { !isTaking && hasToRelease && isAnotherTaking }

  private var hasToRelease: Bool { placing != nil || !superfluous.isEmpty }

  private var isAnotherTaking: Bool { others().contains { $0.isTaking } }

  /// The holds of the app's other windows on the same screen.
  var others: () -> [AppHolds] = { [] }

  /// What to take next; nil if the front-most view has what is wanted, or it was refused.
  private var next: (view: ShownView, wanted: Wanted)? {
    guard let wanted, let front = views.last, !isRefused(wanted), front.held?.satisfies(wanted) != true
    else { return nil }
    return (front, wanted)
  }

  /// Whether the same was refused; without the holds before, it need not begin elsewhere any more.
  private func isRefused(_ wanted: Wanted) -> Bool {
    guard let refused = refusal?.wanted, refused.orientations == wanted.orientations else { return false }
    return refused.start == wanted.start || (wanted.start?.placement ?? 0) == 0
  }

  /// Makes the next call: the wanted hold is taken before others are released, so that the interface does not move in between.
  ///
  /// - Throws: ``OrientationError`` of the screen, unless something else is wanted meanwhile. Then all holds are to be released, because
  ///   they were for other rules, and the same hold is not requested again until ``retry()``.
  func step() async throws(OrientationError) {
    // If rules change during every call, holds would become more and more. The newest one, which may count, is not released here.
    guard let (view, wanted) = next, superfluous.count < Self.superfluousLimit else {
      return await releaseNext()
    }
    do throws(OrientationError) {
      // A hold begins in the present orientation. So a hold to one orientation places the interface for the next one.
      if let start = wanted.start?.orientation,
        placing?.wanted.orientations != InterfaceOrientationMask(start),
        screen.screenState.interface != start
      {
        let granted = try await take(Wanted(orientations: InterfaceOrientationMask(start)))
        dropPlacing()
        placing = granted
      } else {
        give(try await take(wanted), to: view)
      }
    } catch {
      guard self.wanted == wanted else { return }
      dropAll()
      refusal = (wanted, error)
      throw error
    }
  }

  private func take(_ wanted: Wanted) async throws(OrientationError) -> Granted {
    let hold = try await screen.hold(
      wanted.orientations, application: application, reason: "its view is for \(wanted.orientations.text)")
    Self.lastNumber += 1
    return Granted(wanted, number: Self.lastNumber, hold: hold)
  }

  private func give(_ granted: Granted, to view: ShownView) {
    // During the call, the app may have dismissed the view, or may not want a hold any more.
    guard views.last === view, wanted != nil else { return release(granted) }
    drop(view)
    view.held = granted
    dropPlacing()
    let windows = others().filter { $0.views.contains { $0.held != nil } } + [self]
    for window in windows { window.limitHolds(to: max(1, Self.limit / windows.count)) }
  }

  private func releaseNext() async {
    if next == nil { dropPlacing() }
    guard !superfluous.isEmpty else { return }
    // It is in the list until it is released, because it counts until then.
    let oldest = superfluous[0]
    await oldest.hold.release()
    superfluous.removeAll { $0 === oldest }
  }

  // MARK: What is released

  /// Releases the holds of a window that is gone, when this one has taken its own.
  func inherit(from other: AppHolds) {
    other.want(nil)
    for granted in other.superfluous { release(granted) }
    other.superfluous = []
  }

  private func release(_ granted: Granted) {
    let index = superfluous.firstIndex { $0.number > granted.number } ?? superfluous.endIndex
    superfluous.insert(granted, at: index)
  }

  private func drop(_ view: ShownView) {
    guard let held = view.held else { return }
    view.held = nil
    if !views.contains(where: { $0.held === held }) { release(held) }
  }

  private func dropPlacing() {
    if let placing { release(placing) }
    placing = nil
  }

  private func dropAll() {
    for view in views { drop(view) }
    dropPlacing()
  }

  /// Releases the oldest holds, which newer ones cover.
  private func limitHolds(to limit: Int) {
    let numbers = Set(views.compactMap(\.held?.number)).sorted().dropLast(limit)
    for view in views {
      if let number = view.held?.number, numbers.contains(number) { drop(view) }
    }
  }
}
