// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import IIO

@Suite("Who has a file open")
struct FileHolderTests {
  @Test(
    "another process is named by its number and its program's name; this one is not, nor one that has closed it"
  )
  func names() throws {
    let path = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appendingPathComponent("held-\(UUID())").path
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    defer { try? FileManager.default.removeItem(atPath: path) }
    // Programs that other tests start meanwhile must not have it open, too; they have it until they run.
    let file = FileHandle(fileDescriptor: open(path, O_RDONLY | O_CLOEXEC), closeOnDealloc: true)
    try wait(for: "no other holder") { holder(of: path) == nil }
    let process = try ChildProcess("sleep", ["60"], input: .path(path))
    // The child has its name once it runs its program.
    let name = "process \(process.id) (sleep)"
    try wait(for: name) { holder(of: path) == name }
    process.send(SIGTERM)
    #expect(try process.exitCode() == -SIGTERM)
    withExtendedLifetime(file) {}
    try wait(for: "no holder") { holder(of: path) == nil }
  }
}
