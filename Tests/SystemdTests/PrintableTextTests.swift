// SPDX-License-Identifier: Apache-2.0

import CLinux
import TestSupport
import Testing

@testable import Systemd

@Suite struct PrintableTextTests {
  private let hostile = "acc\u{1b}[2J\nMESSAGE=x\u{0}y\u{202e}"
  private let shown = #"acc\u{1b}[2J\u{a}MESSAGE=x\u{0}y\u{202e}"#

  @Test(
    arguments: [
      "kxcjk1013 (iio:device0)", "Beschleunigungsmesser für Größe", "加速度センサー", "مقياس", "می‌شود", "👩‍👩‍👧 ❤️",
      "a\\b é \u{a0}°",
      "",
    ])
  func `ordinary text of any script stays as it is`(_ text: String) {
    #expect(text.printable == text)
    #expect(text.printable.utf8.elementsEqual(text.utf8))
  }

  @Test(
    arguments: [
      "Tie\u{302}\u{301}ng Vie\u{323}\u{302}t", "ที่นี่ น้ำ ก๊วยเตี๋ยว", "ຜູ້ໃຊ້", "בְּרֵאשִׁ֖ית בָּרָ֣א שָּׁ֑ם", "الْقُرْآنُ ٱللَّٰهِ",
      "हिन्दी क्ष्म्य र्त्स्न्यं", "লক্ষ্য", "தமிழ்", "လျှို့ဝှက်", "བསྒྲུབས་ ཧྲཱིཿ", "ខ្ញុំ ស្ត្រី",
      "\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}", "\u{1112}\u{119e}\u{11ab}", "ﾊﾟﾋﾞﾌﾟ", "か\u{3099}",
      "👩🏽‍❤️‍💋‍👨🏿 🧔🏽‍♂️ ❤️‍🔥 🏳️‍🌈 1️⃣ 🇩🇪", "👋🏻🏼🏽🏾🏿🏻🏼", "🏻", "نمی‌خواهم",
    ])
  func `marks, joiners and selectors of ordinary text stay as they are`(_ text: String) {
    #expect(text.printable.utf8.elementsEqual(text.utf8))
    #expect("a\n\(text)".printableLines.utf8.elementsEqual("a\n\(text)".utf8))
  }

  @Test(arguments: [
    "\u{301}", "\u{e49}", "\u{20dd}", "\u{489}", "\u{fe0f}", "\u{200d}", "\u{200c}", "\u{1161}", "\u{11a8}",
    "\u{1e94a}",
  ])
  func `no tower of marks reaches the lines around it`(_ mark: String) throws {
    let escape = "\\u{\(String(try #require(mark.unicodeScalars.first).value, radix: 16))}"
    func times(_ count: Int, _ text: String) -> String { String(repeating: text, count: count) }
    #expect(("a" + times(120, mark) + "b").printable == "a" + times(5, mark) + times(115, escape) + "b")
    #expect(times(2, "a" + times(5, mark)).printable == times(2, "a" + times(5, mark)))
    #expect(times(2, "\n" + times(6, mark)).printableLines == times(2, "\n" + times(6, escape)))
  }

  @Test func `a mark without a character before it is shown, and changes nothing before the text`() {
    #expect("\u{338}\u{301}a\u{301}".printable == #"\u{338}\u{301}a"# + "\u{301}")
  }

  @Test(arguments: 1...20)
  func `of any text, at most five marks are in a row, the rest stays, and once is enough`(seed: UInt64) {
    let pools = [
      "abc (<&\u{1b}\n\r\u{202e}\u{ad}",
      "\u{300}\u{301}\u{30a}\u{488}\u{5b4}\u{e49}\u{93c}\u{20e3}\u{fe0f}\u{1ab0}",
      "\u{200d}\u{200c}👩❤1🏽क्षि한ᄒ",
    ].map { Array($0.unicodeScalars) }
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      var text = String.UnicodeScalarView()
      while Int.random(in: 0..<30, using: &random) > 0 {
        let pool = pools[[0, 1, 1, 1, 2][Int.random(in: 0..<5, using: &random)]]
        text.append(pool[Int.random(in: 0..<pool.count, using: &random)])
      }
      for shown in [String(text).printable, String(text).printableLines] {
        var row = 5
        for scalar in shown.unicodeScalars {
          row = isMark(scalar) ? row + 1 : scalar == "\n" ? 5 : 0
          #expect(row <= 5, "\(shown.debugDescription)")
        }
        #expect(shown.printableLines.utf8.elementsEqual(shown.utf8))
      }
      #expect(String(text).printable.printable.utf8.elementsEqual(String(text).printable.utf8))
      let plain = String(String.UnicodeScalarView(text.filter { !isMark($0) && !$0.isUnprintable }))
      #expect(plain.printable.utf8.elementsEqual(plain.utf8))
    }
  }

  /// What Unicode says of it: the library's table for this is too large for the daemon.
  private func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: true
    default: scalar == "\u{200c}" || scalar == "\u{200d}"
    }
  }

  @Test func `a mark is what Unicode calls one, and no letter is`() {
    for value in 0...0x10FFFF as ClosedRange<UInt32> {
      guard let scalar = Unicode.Scalar(value), !scalar.isUnprintable else { continue }
      if isMark(scalar) {
        #expect(scalar.isCombining, "\(String(value, radix: 16))")
      } else if scalar.isCombining {
        // Some vowels take a cell, but only to the right of their consonant.
        let isJamo = 0x1160...0x11FF ~= value || 0xD7B0...0xD7FF ~= value
        #expect(isJamo || scalar.properties.generalCategory == .spacingMark, "\(String(value, radix: 16))")
      }
    }
  }

  @Test func `controls, line ends and what turns the direction of reading are shown, and do nothing`() {
    #expect(hostile.printable == shown)
    #expect("\r\n".printable == #"\u{d}\u{a}"#)
    #expect("\u{7f}\u{80}\u{9b}31m\u{9f}".printable == #"\u{7f}\u{80}\u{9b}31m\u{9f}"#)
    for scalar in "\u{2028}\u{2029}\u{202a}\u{202e}\u{2066}\u{2069}\u{200e}\u{200f}\u{61c}".unicodeScalars {
      #expect("a\(scalar)b".printable == "a\\u{\(String(scalar.value, radix: 16))}b")
    }
  }

  @Test(arguments: [0xFDD0, 0xFDEF, 0xFFFE, 0xFFFF, 0x1FFFE, 0x10FFFF] as [UInt32])
  func `noncharacters, which D-Bus does not take, are shown`(value: UInt32) throws {
    #expect(String(try #require(Unicode.Scalar(value))).printable == "\\u{\(String(value, radix: 16))}")
    #expect("\u{fdcf}\u{fdf0}\u{fffd}\u{1fffd}".printable == "\u{fdcf}\u{fdf0}\u{fffd}\u{1fffd}")
  }

  @Test func `what shows nothing at all is shown`() {
    let invisible = "\u{ad}\u{200b}\u{2060}\u{feff}\u{3164}\u{e0041}\u{fff9}"
    #expect(invisible.printable == #"\u{ad}\u{200b}\u{2060}\u{feff}\u{3164}\u{e0041}\u{fff9}"#)
  }

  @Test func `a combining mark hides no control`() {
    #expect("\u{1b}\u{301}".printable == "\\u{1b}\u{301}")
  }

  @Test func `lines of our own stay lines`() {
    #expect("a\nb\u{1b}\r\n".printableLines == "a\nb\\u{1b}\\u{d}\n")
  }

  @Test func `a journal entry has each text on a line, with its own bytes and no others`() {
    let journal = Journal(identifier: "helper", destination: .journal)
    let entry = journal.entry(.warning, hostile, id: nil, fields: ["SENSOR": hostile])
    #expect(
      entry == ["MESSAGE=\(shown)", "PRIORITY=4", "SYSLOG_IDENTIFIER=helper", "SENSOR=\(shown)"])
  }

  @Test(arguments: ["MESSAGE=a", "MESSAGE=x\u{0}y and what follows", "", "\u{0}"])
  func `the bytes that journald gets are the text's, also behind a zero byte`(_ text: String) {
    withVectors(of: [text, "PRIORITY=4"]) { vectors in
      #expect(vectors.count == 2)
      let bytes = UnsafeRawBufferPointer(start: vectors[0].iov_base, count: vectors[0].iov_len)
      #expect(bytes.elementsEqual(text.utf8))
    }
  }

  @Test func `a line on standard error is one line`() {
    let journal = Journal(identifier: "helper", destination: .standardError)
    #expect(journal.line(hostile) == Array("helper: \(shown)\n".utf8))
    #expect(journal.line(String(repeating: "é", count: 5000)).count == 4096)
  }
}
