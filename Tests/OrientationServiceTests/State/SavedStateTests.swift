// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orientation
import SensorSetup
import Testing

@testable import OrientationService

/// Every state that there is: the lock, an orientation or none, and each mask but the empty one.
let everyState = [false, true].flatMap { locked in
  ([nil] + InterfaceOrientation.allCases.filter { $0 != .unknown }).flatMap { orientation in
    (1...15).map { bits in
      SavedState(
        isRotationLocked: locked, interfaceOrientation: orientation,
        supported: InterfaceOrientationMask(rawValue: bits << 1))
    }
  }
}

/// A state that has something other than the default everywhere.
let unusualState = SavedState(
  isRotationLocked: true, interfaceOrientation: .landscapeLeft, supported: [.landscapeLeft, .portrait])

/// What is wrong with a text; nil for that of a state.
private func defect(_ text: some Sequence<UInt8>) -> StateFileDefect? {
  do throws(StateFileDefect) {
    _ = try SavedState(parsing: Array(text))
    return nil
  } catch {
    return error
  }
}

@Suite("The text of a saved state")
struct SavedStateTests {
  @Test("says the state in UIKit's words, and ends with a mark")
  func readable() {
    #expect(
      unusualState.text == """
        # Written by orientationd(8), which keeps aside a file in any other form.
        [State]
        Version=1
        RotationLocked=yes
        InterfaceOrientation=landscapeLeft
        SupportedInterfaceOrientations=portrait landscapeLeft
        Complete=yes

        """)
  }

  @Test("is read as the state that it was written for, and differs for each")
  func roundTrip() throws {
    #expect(everyState.count == 150)
    for state in everyState { #expect(try SavedState(parsing: Array(state.text.utf8)) == state) }
    #expect(Set(everyState.map(\.text)).count == everyState.count)
  }

  @Test("says how readily the orientation changes, if people have set it", arguments: Responsiveness.allCases)
  func responsiveness(_ responsiveness: Responsiveness) throws {
    var state = unusualState
    state.responsiveness = responsiveness
    #expect(state.text.hasSuffix("\nResponsiveness=\(responsiveness.rawValue)\nComplete=yes\n"))
    #expect(state.text.contains("\nVersion=2\n"))
    #expect(try SavedState(parsing: Array(state.text.utf8)) == state)
    state.setMountMatrix(try MountMatrix(parsing: "0, -1, 0; 1, 0, 0; 0, 0, 1"), of: "sensor:modalias:a:*")
    #expect(try SavedState(parsing: Array(state.text.utf8)) == state)
    let word = responsiveness.rawValue
    for line in ["x", "\(word) ", " \(word)", "\(word)\nResponsiveness=\(word)", "x\nMountMatrix=x"] {
      let wrong = unusualState.text.replacing("Version=1", with: "Version=2").replacing(
        "Complete", with: "Responsiveness=\(line)\nComplete")
      guard case .wrongLine(var rest) = defect(wrong.utf8) else {
        Issue.record("\(line)")
        continue
      }
      rest.responsiveness = nil
      #expect(rest == unusualState)
    }
  }

  /// A state with the matrices of so many sensors, which have names of such a length.
  private func state(matrices count: Int, model length: Int = 60) throws -> SavedState {
    var state = unusualState
    for number in 0..<count {
      let name = "sensor\(number):for a dmi:*"
      state.setMountMatrix(
        try MountMatrix(parsing: "0.6, -0.8, 0; 0.8, 0.6, 0; 0, 0, 0.99999999999999\(number + 1)"),
        of: name + String(repeating: "x", count: max(length - name.utf8.count, 0)))
    }
    return state
  }

  @Test("says the mount matrices that people have set, for which there is another version")
  func mountMatrices() throws {
    var state = unusualState
    state.setMountMatrix(try MountMatrix(parsing: "0, -1, 0; 1, 0, 0; 0, 0, 1"), of: "sensor:modalias:a:*")
    #expect(state.text.contains("\nVersion=2\n"))
    #expect(
      state.text.hasSuffix("\nMountMatrix=0, -1, 0; 1, 0, 0; 0, 0, 1 for sensor:modalias:a:*\nComplete=yes\n")
    )
    for count in 1...SavedState.mostMountMatrices {
      let state = try self.state(matrices: count)
      #expect(try SavedState(parsing: Array(state.text.utf8)) == state)
    }
    // Without any, an earlier daemon reads it.
    state.setMountMatrix(nil, of: "sensor:modalias:a:*")
    #expect(state == unusualState)
  }

  @Test("has the newest mount matrices if there were too many, and they fit into the file")
  func manyMountMatrices() throws {
    let longest = SensorMatrix.longestModel
    let state = try state(matrices: 20, model: longest)
    #expect(state.mountMatrices.count == SavedState.mostMountMatrices)
    #expect(state.mountMatrices.first?.model.hasPrefix("sensor4:") == true)
    #expect(state.text.utf8.count < StateFolder.largestFile)
    #expect(try SavedState(parsing: Array(state.text.utf8)) == state)
  }

  @Test(
    "with a line among the mount matrices that is none is no state, but all its other lines are one",
    arguments: [
      "MountMatrix=0, 0, 0; 1, 0, 0; 0, 0, 1 for x", "MountMatrix=0, -1, 0; 1, 0, 0; 0, 0, 1",
      "MountMatrix=nan, -1, 0; 1, 0, 0; 0, 0, 1 for x", "MountMatrix=0, -9, 0; 1, 0, 0; 0, 0, 1 for x",
      "MountMatri\u{1}=0, -1, 0; 1, 0, 0; 0, 0, 1 for x",
      "\u{0}",
      "", "MountMatrix=", "Complete=yes", "RotationLocked=no", String(repeating: "x", count: 3000),
    ])
  func wrongMountMatrix(line: String) throws {
    let alone = unusualState.text.replacing("Version=1", with: "Version=2").replacing(
      "Complete", with: "\(line)\nComplete")
    #expect(defect(alone.utf8) == .wrongLine(rest: unusualState))
    let others = try state(matrices: 3)
    for place in ["MountMatrix=", "Complete"] {
      let text = try #require(others.text.range(of: place)).lowerBound
      let damaged = others.text[..<text] + "\(line)\n" + others.text[text...]
      #expect(defect(damaged.utf8) == .wrongLine(rest: others))
    }
  }

  @Test("cut off anywhere, is recognized as cut off")
  func cutOff() {
    for state in everyState {
      let text = Array(state.text.utf8)
      for length in 0..<text.count where defect(text.prefix(length)) != .cutOff {
        Issue.record("the first \(length) bytes of \(state)")
      }
    }
  }

  @Test("with any one byte changed, dropped or put in, is no state")
  func damaged() {
    let text = Array(unusualState.text.utf8)
    for place in text.indices {
      for byte in UInt8.min...UInt8.max where byte != text[place] {
        var changed = text
        changed[place] = byte
        if defect(changed) == nil { Issue.record("byte \(place) changed to \(byte)") }
      }
      var shorter = text
      shorter.remove(at: place)
      #expect(defect(shorter) != nil, "byte \(place) dropped")
      for byte in [0, UInt8(ascii: "\n"), UInt8(ascii: " "), UInt8(ascii: "#"), 0xff] {
        var longer = text
        longer.insert(byte, at: place)
        #expect(defect(longer) != nil, "\(byte) put in at \(place)")
      }
    }
    #expect(defect(text + [UInt8(ascii: "\n")]) != nil)
  }

  @Test("with any one bit changed, is no state, whichever it was")
  func bits() {
    for state in everyState {
      let text = Array(state.text.utf8)
      for place in stride(from: Int.random(in: 0..<7), to: text.count, by: 7) {
        var changed = text
        changed[place] ^= 1 << UInt8.random(in: 0..<8)
        if defect(changed) == nil { Issue.record("\(String(decoding: changed, as: UTF8.self))") }
      }
    }
  }

  @Test("has each key once, in its place, with a value that it takes, and nothing else")
  func strict() {
    let text = unusualState.text
    let lines = text.split(separator: "\n")
    for (number, line) in lines.enumerated() {
      var fewer = lines
      fewer.remove(at: number)
      #expect(defect(fewer.map { "\($0)\n" }.joined().utf8) != nil, "without \(line)")
      var twice = lines
      twice.insert(line, at: number)
      #expect(defect(twice.map { "\($0)\n" }.joined().utf8) != nil, "twice \(line)")
    }
    for (old, new) in [
      ("landscapeLeft\nS", "unknown\nS"), ("landscapeLeft\nS", "faceUp\nS"), ("landscapeLeft\nS", "3\nS"),
      ("portrait landscapeLeft", ""), ("portrait landscapeLeft", "unknown"),
      ("portrait landscapeLeft", "landscapeLeft portrait"), ("portrait landscapeLeft", "portrait portrait"),
      ("=yes\nI", "=true\nI"), ("=yes\nI", "= yes\nI"), ("Version=1", "Version=0"),
      ("Version=1", "Version=one"),
      ("[State]", "[Other]"), ("Complete=yes\n", "Colour=red\nComplete=yes\n"), ("\n", "\r\n"),
    ] {
      #expect(defect(text.replacing(old, with: new).utf8) != nil, "\(new)")
    }
  }

  @Test("of a later version is recognized by its number, whatever else has changed")
  func newerVersion() {
    let text = unusualState.text
    #expect(defect(text.replacing("Version=1", with: "Version=3").utf8) == .newerVersion(3))
    #expect(defect("[State]\nVersion=10\nEnd=1\n".utf8) == .newerVersion(10))
  }

  @Test("is not what another program has written")
  func foreign() {
    for text in [
      "hello\n", "{\"locked\": true}", "[Orientation]\nSampleRate=25\n", String(repeating: "\0", count: 219),
    ] {
      #expect(defect(text.utf8) == .foreign)
    }
    #expect(defect([0xff, 0xfe, 0x00] as [UInt8]) == .foreign)
  }
}

@Suite("A saved state")
struct SavedStateValueTests {
  @Test("is by default unlocked, with nothing chosen and every orientation supported")
  func defaults() {
    #expect(!SavedState().isRotationLocked)
    #expect(SavedState().interfaceOrientation == nil)
    #expect(SavedState().supported == .all)
  }

  @Test("never has an unknown orientation, an empty mask, or bits that mean nothing")
  func impossible() {
    var state = SavedState(interfaceOrientation: .unknown, supported: [])
    #expect(state == SavedState())
    state.interfaceOrientation = .unknown
    state.supported = InterfaceOrientationMask(rawValue: 1)
    #expect(state == SavedState())
    state.supported = InterfaceOrientationMask(rawValue: .max)
    #expect(state.supported == .all)
  }
}
