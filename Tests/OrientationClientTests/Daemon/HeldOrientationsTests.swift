// SPDX-License-Identifier: Apache-2.0

import Orientation
import Testing

@testable import DaemonClient

@Suite("The holds of a program, over restarts of the daemon")
struct HeldOrientationsTests {
  private let holds = HeldOrientations()

  private func add(_ number: UInt32) -> HeldOrientations.ID {
    holds.add(
      HoldRequest(orientations: .landscape, application: "org.example.Player", reason: "plays a film"),
      number: number)
  }

  /// What releasing one asks of the daemon at once.
  private func release(_ hold: HeldOrientations.ID) -> UInt32? {
    if case .release(let number) = holds.remove(hold, whenAnswered: {}) { number } else { nil }
  }

  /// Notes the answer to a request; whether the program has released the hold meanwhile.
  private func answer(_ hold: HeldOrientations.ID, _ number: UInt32?) -> Bool {
    holds.answered(hold, number: number).map { _ in true } ?? false
  }

  @Test(
    "are released under the number that a later daemon may have kept, also while it refuses to grant them again"
  )
  func refused() {
    let hold = add(3)
    holds.ended(.daemon)
    holds.requested(hold)
    #expect(!answer(hold, nil))
    #expect(holds.missing.map(\.0) == [hold] && holds.takeUnwanted() == [])
    #expect(release(hold) == nil)
    #expect(holds.takeUnwanted() == [3] && holds.takeUnwanted() == [])
  }

  @Test("that are granted again under another number are released under that of before")
  func grantedLate() {
    let hold = add(3)
    holds.ended(.daemon)
    for number in [nil, 4] as [UInt32?] {
      holds.requested(hold)
      #expect(!answer(hold, number))
    }
    #expect(holds.takeUnwanted() == [3])
    #expect(release(hold) == 4)
  }

  @Test(
    "that a daemon numbers anew, which has kept nothing, are not released under numbers that others have now")
  func numberedAnew() {
    let (first, second) = (add(2), add(5))
    holds.ended(.daemon)
    holds.requested(first)
    holds.requested(second)
    #expect(!answer(first, 1))
    #expect(holds.takeUnwanted() == [])
    #expect(!answer(second, 2))
    #expect(holds.takeUnwanted() == [5])
    #expect(release(second) == 2)
    #expect(release(first) == 1)
  }

  @Test(
    "that were released while the daemon was asked are released under the number of before, too",
    arguments: [3, 4, nil])
  func releasedMeanwhile(number: UInt32?) {
    let hold = add(3)
    holds.ended(.daemon)
    holds.requested(hold)
    #expect(release(hold) == nil)
    #expect(answer(hold, number))
    #expect(holds.takeUnwanted() == (number == 3 ? [] : [3]))
  }

  @Test("that were released while a daemon was asked, which ended then, are released by the next one")
  func releasedBeforeTheEnd() {
    let hold = add(3)
    holds.ended(.daemon)
    holds.requested(hold)
    #expect(release(hold) == nil)
    holds.ended(.daemon)
    #expect(holds.takeUnwanted() == [3])
  }

  @Test(
    "that were released while no daemon ran are not released while a new one is asked for, which may get their number"
  )
  func askedMeanwhile() {
    let (hold, other) = (add(3), add(4))
    holds.ended(.daemon)
    for released in [hold, other] { #expect(release(released) == nil) }
    holds.asksForNew()
    #expect(holds.takeUnwanted() == [])
    #expect(release(add(3)) == 3)
    _ = add(4)
    #expect(holds.takeUnwanted() == [3])
    holds.asksForNew()
    holds.isRefusedNew()
    #expect(holds.takeUnwanted() == [])
  }

  @Test("whose release a daemon has not heard before it ended are released by the next one")
  func releasesInFlight() {
    for number in [3, 4] as [UInt32] { holds.releases(number) }
    holds.hasReleased(3)
    holds.ended(.daemon)
    #expect(holds.takeUnwanted() == [4])
  }

  @Test("end with the connection to the bus")
  func connection() {
    let (hold, other) = (add(3), add(4))
    holds.ended(.daemon)
    #expect(release(other) == nil)
    holds.ended(.connection)
    #expect(release(hold) == nil)
    #expect(holds.takeUnwanted() == [])
  }
}
