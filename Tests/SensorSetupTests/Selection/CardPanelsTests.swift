// SPDX-License-Identifier: Apache-2.0

import CLinux
import CMockInput
import TestSupport
import Testing

@testable import SensorSetup

@Suite("The panels of a graphics card, for udev")
struct CardPanelsTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = "\(folder.path)/card0"
    close(mock_input_create(path))
  }

  @Test("are told in the kernel's words, without those on a cable, and those of which it says nothing")
  func words() {
    mock_card_add(path, 90, 11, 1, -1)
    mock_card_add(path, 95, 14, 1, 3)
    mock_card_add(path, 99, 16, 2, 2)
    mock_card_add(path, 100, 14, 2, -1)
    mock_card_add(path, 101, 17, 1, 1)
    mock_card_add(path, 102, 7, 1, 0)
    #expect(
      CardPanels.text(ofCard: path)
        == "eDP-1=right_side_up DSI-2=left_side_up DPI-1=upside_down LVDS-1=normal")
  }

  @Test(
    "are none where the kernel says nothing that can be right", arguments: [-1, 4, .max, .min] as [Int64])
  func absurd(orientation: Int64) {
    mock_card_add(path, 95, 14, 1, orientation)
    #expect(CardPanels.text(ofCard: path) == "")
  }

  @Test("are unknown of a card that has too many connectors, of what is no card, and of nothing")
  func noCard() throws {
    #expect(CardPanels.text(ofCard: "/nonexistent") == nil)
    #expect(CardPanels.text(ofCard: "/dev/null") == nil)
    for connector in 1...65 { mock_card_add(path, UInt32(connector), 14, UInt32(connector), 1) }
    #expect(CardPanels.text(ofCard: path) == nil)
  }
}
