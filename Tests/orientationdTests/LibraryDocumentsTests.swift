// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrientationClient
import TestSupport
import Testing

// What the articles of OrientationClient show, so that it is compiled. Each block of Swift in them is in this file, or in an example.

/// An app whose device the session bus has.
private func app() async throws {
  let device = OrientationDevice(bus: .session)

  device.beginGeneratingDeviceOrientationNotifications()
  defer { device.endGeneratingDeviceOrientationNotifications() }

  for await orientation in device.interfaceOrientations {
    if let turn = QuarterTurn(from: .portrait, to: orientation) {
      print("draw turned by \(turn.degrees) degrees")
    }
  }
}

func play(on device: OrientationDevice) async throws {
  let hold = try await device.hold(.landscape, application: "org.example.Player", reason: "plays a film")
  // Plays the film.
  await hold.release()
}

func toggleLock(of device: OrientationDevice) async {
  do throws(OrientationError) {
    try await device.setRotationLock(device.rotationLock.toggled)
  } catch {
    switch error.kind {
    case .notAuthorized: print("Only the user before the screen may lock it.")
    default: print(error)
    }
  }
}

@Suite("The articles of OrientationClient")
struct LibraryDocumentsTests {
  @Test("show only Swift that is compiled")
  func snippets() throws {
    let folder = "Sources/OrientationClient/OrientationClient.docc"
    let compiled = try [
      "Tests/orientationdTests/LibraryDocumentsTests.swift", "examples/swift/Sources/which-way-up/main.swift",
    ].map { Self.withoutIndentation(try projectFile($0)) }
    var count = 0
    for article in try FileManager.default.contentsOfDirectory(
      atPath: projectFolder.appending(path: folder).path)
    {
      for block in try projectFile("\(folder)/\(article)").components(separatedBy: "```swift\n").dropFirst() {
        let code = Self.withoutIndentation(block.components(separatedBy: "```")[0])
        #expect(compiled.contains { $0.contains(code) }, "\(article): \(code)")
        count += 1
      }
    }
    #expect(count >= 7)
  }

  private static func withoutIndentation(_ text: String) -> String {
    text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: "\n")
  }
}
