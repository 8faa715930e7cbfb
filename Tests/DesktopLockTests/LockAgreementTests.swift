// SPDX-License-Identifier: Apache-2.0

import DesktopLock
import Testing

@Suite("The desktop's lock and the daemon's")
struct LockAgreementTests {
  /// Both are off, and the daemon has said so.
  private func settled() -> LockAgreement {
    var agreement = LockAgreement(desktop: false)
    #expect(agreement.daemonAppeared() == .setDaemon(false))
    #expect(agreement.daemonAnswered(isSet: true) == .nothing)
    return agreement
  }

  @Test("the daemon that comes gets the desktop's lock, also after it was gone", arguments: [false, true])
  func comes(desktop: Bool) {
    var agreement = LockAgreement(desktop: desktop)
    #expect(agreement.daemonAppeared() == .setDaemon(desktop))
    #expect(agreement.daemonAnswered(isSet: true) == .nothing)
    agreement.daemonVanished()
    #expect(agreement.desktopChanged(to: !desktop) == .nothing)
    #expect(agreement.daemonChanged(to: desktop) == .nothing)
    #expect(agreement.daemonAppeared() == .setDaemon(!desktop))
  }

  @Test("a change of either is carried to the other one once, and comes back as no change")
  func change() {
    var agreement = settled()
    #expect(agreement.desktopChanged(to: true) == .setDaemon(true))
    #expect(agreement.daemonChanged(to: true) == .nothing)
    #expect(agreement.daemonAnswered(isSet: true) == .nothing)
    #expect(agreement.daemonChanged(to: false) == .setDesktop(false))
    #expect(agreement.desktopChanged(to: false) == .nothing)
    #expect(agreement.daemonChanged(to: false) == .nothing)
  }

  @Test("toggled twice in the desktop before the daemon answers, it ends as the desktop shows it")
  func twice() {
    var agreement = settled()
    #expect(agreement.desktopChanged(to: true) == .setDaemon(true))
    #expect(agreement.desktopChanged(to: false) == .nothing)
    #expect(agreement.daemonChanged(to: true) == .nothing)
    #expect(agreement.daemonAnswered(isSet: true) == .setDaemon(false))
  }

  @Test("a switch that moves after the desktop's change, before that is answered, counts")
  func switched() {
    var agreement = settled()
    #expect(agreement.desktopChanged(to: true) == .setDaemon(true))
    #expect(agreement.daemonChanged(to: true) == .nothing)
    #expect(agreement.daemonChanged(to: false) == .nothing)
    #expect(agreement.daemonAnswered(isSet: true) == .setDesktop(false))
  }

  @Test("what the daemon refuses is left, until either changes")
  func refused() {
    var agreement = settled()
    #expect(agreement.desktopChanged(to: true) == .setDaemon(true))
    #expect(agreement.daemonAnswered(isSet: false) == .nothing)
    #expect(agreement.daemonChanged(to: true) == .nothing)
    #expect(agreement.daemonChanged(to: false) == .setDesktop(false))
    #expect(agreement.desktopChanged(to: false) == .nothing)
    #expect(agreement.desktopChanged(to: true) == .setDaemon(true))
    #expect(agreement.daemonAnswered(isSet: false) == .nothing)
    #expect(agreement.desktopChanged(to: false) == .setDaemon(false))
  }

  @Test("what the daemon announces while it is asked counts, also if it refuses then")
  func refusedLater() {
    var agreement = settled()
    #expect(agreement.desktopChanged(to: true) == .setDaemon(true))
    #expect(agreement.daemonChanged(to: true) == .nothing)
    #expect(agreement.daemonChanged(to: false) == .nothing)
    #expect(agreement.daemonAnswered(isSet: false) == .setDesktop(false))
    #expect(agreement.desktopChanged(to: false) == .nothing)
  }

  @Test("a desktop whose lock cannot be written is left, until it changes")
  func lockedDown() {
    var agreement = settled()
    #expect(agreement.daemonChanged(to: true) == .setDesktop(true))
    #expect(agreement.desktopChanged(to: false) == .setDaemon(false))
    #expect(agreement.daemonChanged(to: false) == .nothing)
    #expect(agreement.daemonAnswered(isSet: true) == .nothing)
  }

  @Test("whatever is toggled when, and however late messages are, in the end both are equal, by few messages")
  func law() {
    var chance = SystemRandomNumberGenerator()
    for _ in 0..<5000 {
      var locks = SimulatedLocks(desktop: .random(), daemon: .random())
      for _ in 0..<Int.random(in: 0...60, using: &chance) { locks.happen(using: &chance) }
      locks.deliverAll()
      #expect(locks.desktop == locks.daemon)
      #expect(locks.carried <= locks.changes + 1)
    }
  }
}

/// Both locks, and the messages that are on their way.
private struct SimulatedLocks {
  private enum Report { case changed(Bool), answer }

  private(set) var desktop: Bool
  private(set) var daemon: Bool
  /// How often somebody else has changed either, and how often a change was carried over.
  private(set) var (changes, carried) = (0, 0)
  private var agreement: LockAgreement
  private var calls: [Bool] = []
  private var reports: [Report] = []
  private var isDesktopNews = false

  init(desktop: Bool, daemon: Bool) {
    (self.desktop, self.daemon) = (desktop, daemon)
    agreement = LockAgreement(desktop: desktop)
    perform(agreement.daemonAppeared())
  }

  /// One thing happens: a person or a switch toggles a lock, or a message arrives.
  mutating func happen(using chance: inout SystemRandomNumberGenerator) {
    switch Int.random(in: 0..<5, using: &chance) {
    case 0:
      desktop.toggle()
      (isDesktopNews, changes) = (true, changes + 1)
    case 1:
      setDaemon(to: !daemon)
      changes += 1
    case 2: deliverCall()
    case 3: deliverReport()
    default: deliverDesktopNews()
    }
  }

  mutating func deliverAll() {
    while isDesktopNews || !calls.isEmpty || !reports.isEmpty {
      deliverCall()
      deliverReport()
      deliverDesktopNews()
    }
  }

  private mutating func deliverCall() {
    guard !calls.isEmpty else { return }
    setDaemon(to: calls.removeFirst())
    reports.append(.answer)
  }

  private mutating func deliverReport() {
    guard !reports.isEmpty else { return }
    switch reports.removeFirst() {
    case .changed(let isLocked): perform(agreement.daemonChanged(to: isLocked))
    case .answer: perform(agreement.daemonAnswered(isSet: true))
    }
  }

  private mutating func deliverDesktopNews() {
    guard isDesktopNews else { return }
    isDesktopNews = false
    perform(agreement.desktopChanged(to: desktop))
  }

  private mutating func setDaemon(to isLocked: Bool) {
    guard daemon != isLocked else { return }
    daemon = isLocked
    reports.append(.changed(isLocked))
  }

  private mutating func perform(_ step: LockAgreement.Step) {
    switch step {
    case .nothing: return
    case .setDaemon(let isLocked): calls.append(isLocked)
    case .setDesktop(let isLocked):
      desktop = isLocked
      perform(agreement.desktopChanged(to: isLocked))
    }
    carried += 1
  }
}
