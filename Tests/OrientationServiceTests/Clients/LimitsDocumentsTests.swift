// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import OrientationService
@testable import SensorSetup

@Suite struct LimitsDocumentsTests {
  /// The rows of the table in the manual page: what is limited, and the numbers.
  private func rows() throws -> [String: [String]] {
    let page = projectFolder.appending(path: "data/man/org.orientationd1.5")
      .standardized
    let text = try String(contentsOf: page, encoding: .utf8)
    let section = try #require(text.split(separator: ".Sh LIMITS").last?.split(separator: ".El").first)
    var rows: [String: [String]] = [:]
    for line in section.split(separator: "\n") where line.hasPrefix(".It ") {
      let cells = line.dropFirst(4).components(separatedBy: " Ta ")
      rows[cells[0]] = Array(cells.dropFirst())
    }
    return rows
  }

  private func row(_ accounts: UserAccounts) -> [String] {
    ["\(accounts.perClient)", "\(accounts.perUser)", "\(accounts.inAll)"]
  }

  @Test func `the table of limits says what the code has`() throws {
    let rows = try rows()
    let (none, limits) = ("\\(en", ClientLimits())
    #expect(rows["clients that have begun"] == row(limits.accounts))
    #expect(rows["Begins without an End"] == ["\(limits.beginsPerClient)", none, none])
    #expect(rows["claims, of each sensor"] == row(limits.accounts))
    #expect(rows["clients that follow the screen"] == row(limits.accounts))
    #expect(rows["calls that wait for the sensor"] == row(Limits.callsForSensor))
    #expect(rows["calls that wait for polkit"] == row(Limits.callsForPolkit))
    #expect(rows["of these, for a person"] == row(Limits.callsForPerson))
    #expect(rows["calls that wait for the disk"] == row(Limits.answersForDisk))
    #expect(
      rows["first calls, of a user not known yet"]
        == ["\(Callers.waitingCallsPerClient)", none, "\(Callers.waitingCalls)"])
    let (burst, rate) = (CallBudget.burst, Int(CallBudget.callsPerSecond))
    #expect(
      rows["changes at once"]
        == ["\(burst)", "\(burst * CallBudget.clientsOfUser)", none])
    #expect(
      rows["changes a second after that"] == ["\(rate)", "\(rate * CallBudget.clientsOfUser)", none])
    #expect(rows["holds of interface orientations"] == row(Limits.holds))
    #expect(rows.count == 13)
  }
}
