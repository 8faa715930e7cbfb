// SPDX-License-Identifier: Apache-2.0

import CLinux
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

  @Test func `controls, line ends and what turns the direction of reading are shown, and do nothing`() {
    #expect(hostile.printable == shown)
    #expect("\r\n".printable == #"\u{d}\u{a}"#)
    #expect("\u{7f}\u{80}\u{9b}31m\u{9f}".printable == #"\u{7f}\u{80}\u{9b}31m\u{9f}"#)
    for scalar in "\u{2028}\u{2029}\u{202a}\u{202e}\u{2066}\u{2069}\u{200e}\u{200f}\u{61c}".unicodeScalars {
      #expect("a\(scalar)b".printable == "a\\u{\(String(scalar.value, radix: 16))}b")
    }
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
