// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrientationClient
import TestSupport
import Testing

// What the articles of OrientationClient show, so that it is compiled. Each block of Swift in them is in this file, or in an example.

/// An app that prints orientations.
private func printing() async throws {
  let device = OrientationDevice(bus: .session)
  for await orientation in device.orientations {
    print(orientation.name)
  }
}

/// An app whose device the session bus has.
private func app(_ device: OrientationDevice) async throws {
  Task {
    for await case .unavailable(let error) in device.daemonStates { print(error) }
  }

  device.beginGeneratingDeviceOrientationNotifications()
  defer { device.endGeneratingDeviceOrientationNotifications() }

  for await orientation in device.interfaceOrientations {
    print(orientation.name)
  }

  if let panel = device.naturalOrientation,
    let turn = QuarterTurn(from: panel.interface, to: device.interfaceOrientation)
  {
    print("draw turned by \(turn.degrees) degrees clockwise")
  }
}

/// An app that reads gravity.
private func readingGravity() async {
  for await data in MotionManager().gravityUpdates(every: .milliseconds(50)).values {
    print(data.gravity.x, data.gravity.y, data.gravity.z)
  }
}

/// An app that shows why nothing comes.
private func readingMotion() async {
  for await update in MotionManager().accelerometerUpdates(every: .milliseconds(20)) {
    switch update {
    case .value(let data): print(data.acceleration)
    case .state(.denied): print("Only programs of the session on the screen may read motion.")
    case .state(.noSensor): print("There is no accelerometer.")
    case .lost(let count): print("\(count) samples were lost")
    default: break  // Other states, and what a later version adds.
    }
  }
}

func showLevel(of manager: MotionManager) async {
  for await motion in manager.deviceMotionUpdates(every: .milliseconds(20)).values {
    guard let attitude = motion.attitude else { continue }
    print(attitude.pitch, attitude.roll)
  }
}

@MainActor final class Model {
  private(set) var orientation = DeviceOrientation.unknown
  private var following: Task<Void, Never>?

  init(of device: OrientationDevice) {
    following = Task { [weak self] in
      for await orientation in device.orientations { self?.orientation = orientation }
    }
  }

  deinit { following?.cancel() }
}

func play(on device: OrientationDevice) async {
  // Nil if no daemon runs, or it refuses: the film is played all the same.
  let hold = try? await device.hold(.landscape, application: "org.example.Player", reason: "plays a film")
  // Plays the film.
  await hold?.release()
}

func lockButtonPressed(of desktop: DesktopRotation) async {
  do throws(OrientationError) {
    try await desktop.toggleLock()
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
      "examples/swift/Sources/film/main.swift",
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
    #expect(count >= 10)
  }

  private static func withoutIndentation(_ text: String) -> String {
    text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: "\n")
  }
}
