// SPDX-License-Identifier: Apache-2.0

import Orientation
import TestSupport
import Testing

@testable import SensorSetup

@Suite("Where the configuration lies")
struct ConfigurationFilesTests {
  private let root: TemporaryFolder

  init() throws { root = try TemporaryFolder() }

  private func loadSystem() -> (configuration: Configuration, problems: [ConfigurationProblem]) {
    let (configuration, problems) = Configuration.loadSystem(root: root.path)
    return (configuration, problems)
  }

  @Test("without any file the defaults hold, silently")
  func nothing() {
    #expect(loadSystem().configuration == Configuration())
    #expect(loadSystem().problems == [])
  }

  @Test("of the main files, the first of /etc, /run, /usr/local/lib and /usr/lib counts alone")
  func mainFile() throws {
    for (place, rate) in [("usr/lib", 10), ("usr/local/lib", 20), ("run", 30), ("etc", 40)] {
      try root.write("SampleRate=\(rate)\n", to: "\(place)/orientationd.conf")
      #expect(loadSystem().configuration.sampleRate == Double(rate))
    }
    try root.write("AlwaysOn=yes\n", to: "etc/orientationd.conf")
    #expect(loadSystem().configuration.sampleRate == 25)
  }

  @Test("drop-ins go before the main file, and among them the last by name counts, wherever it lies")
  func dropInOrder() throws {
    try root.write("SampleRate=10\nHysteresis=20\n", to: "etc/orientationd.conf")
    try root.write("SampleRate=20\n", to: "etc/orientationd.conf.d/10-site.conf")
    try root.write("SampleRate=30\n", to: "usr/lib/orientationd.conf.d/20-vendor.conf")
    try root.write("AlwaysOn=yes\n", to: "run/orientationd.conf.d/15-session.conf")
    let configuration = loadSystem().configuration
    #expect(configuration.sampleRate == 30)
    #expect(configuration.alwaysOn)
    #expect(configuration.pipeline.hysteresis.degrees == 20)
  }

  @Test("a drop-in hides those of its name in the folders behind, also where it is empty")
  func masking() throws {
    try root.write("SampleRate=30\n", to: "usr/lib/orientationd.conf.d/50-vendor.conf")
    try root.write("SampleRate=40\n", to: "run/orientationd.conf.d/50-vendor.conf")
    #expect(loadSystem().configuration.sampleRate == 40)
    try root.write("", to: "etc/orientationd.conf.d/50-vendor.conf")
    #expect(loadSystem().configuration == Configuration())
  }

  @Test("a folder of drop-ins that cannot be read is named, and what can be read counts")
  func unreadableFolder() throws {
    try root.write("SampleRate=50\n", to: "usr/lib/orientationd.conf.d/10-site.conf")
    try root.write("", to: "etc/orientationd.conf.d")
    let (configuration, problems) = loadSystem()
    #expect(configuration.sampleRate == 50)
    #expect(
      problems.map(\.description) == ["\(root.path)/etc/orientationd.conf.d: cannot be read: Not a directory"]
    )
  }

  @Test("of ten thousand wrong lines, twenty are named")
  func manyWrongLines() throws {
    try root.write(String(repeating: "a=b\n", count: 10_000), to: "etc/orientationd.conf")
    let problems = loadSystem().problems
    #expect(problems.count == IniFile.mostProblems + 1)
    #expect(problems.last?.reason == "further wrong lines are ignored")
  }

  @Test("hidden files, and those without .conf at their end, are no drop-ins")
  func otherFiles() throws {
    for name in ["10-site.conf~", "README", "10-site.conf.dpkg-old", ".#10-site.conf", ".conf"] {
      try root.write("SampleRate=50\n", to: "etc/orientationd.conf.d/\(name)")
    }
    #expect(loadSystem().configuration == Configuration())
    #expect(loadSystem().problems == [])
  }

  @Test("a wrong line is named with its file; a file that cannot be read is named, and the others count")
  func problems() throws {
    let path = try root.write("\nSampleRate=fast\n", to: "etc/orientationd.conf.d/10-site.conf")
    let folder = "\(root.path)/etc/orientationd.conf.d/20-folder.conf"
    try root.write("", to: "etc/orientationd.conf.d/20-folder.conf/placeholder")
    try root.write("AlwaysOn=yes\n", to: "etc/orientationd.conf.d/30-last.conf")
    let (configuration, problems) = loadSystem()
    #expect(configuration.alwaysOn)
    #expect(
      problems.map(\.description) == [
        "\(path):2: SampleRate= takes a number of Hz from 5 to 200, not 'fast'; ignored",
        "\(folder): cannot be read: Is a directory",
      ])
  }
}
