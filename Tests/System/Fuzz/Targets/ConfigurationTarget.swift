// SPDX-License-Identifier: Apache-2.0

import Orientation

@testable import OrientationService
@testable import SensorSetup

/// A file changes the defaults within their documented bounds only, and says of each line that it passes over where it is.
func checkConfiguration(_ input: [UInt8]) throws(Violation) {
  var configuration = Configuration()
  let file = IniFile(text: input, path: "f")
  let problems = configuration.apply(file, path: "f")
  let lineCount = input.reduce(1) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) }
  for problem in problems {
    try expect(
      (1...lineCount).contains(problem.line ?? 1), "a problem in line \(problem.line ?? 0) of \(lineCount)")
  }
  for entry in file.entries {
    try expect((1...lineCount).contains(entry.line), "an entry in line \(entry.line) of \(lineCount)")
  }
  try checkBounds(of: configuration)
  // What is read once more changes nothing.
  var again = configuration
  try expect(again.apply(file, path: "f") == problems && again == configuration, "the second reading differs")
  // Neither does a reload, and what a key says of its value is what it takes.
  var reloaded = Configuration()
  _ = reloaded.apply(file, path: "f", keeping: configuration)
  try expect(reloaded == configuration, "reloaded, it has changed")
  var copied = Configuration()
  for key in ConfigurationKey.allCases { key.copy(from: configuration, to: &copied) }
  try expect(copied == configuration && copied.changes(since: configuration).isEmpty, "a copy differs")
}

/// The bounds of orientationd.conf(5).
private func checkBounds(of configuration: Configuration) throws(Violation) {
  let (pipeline, limits) = (configuration.pipeline, configuration.limits)
  try expect((5...200).contains(configuration.sampleRate), "SampleRate=\(configuration.sampleRate)")
  try expect((0...40.001).contains(pipeline.hysteresis.degrees), "Hysteresis=\(pipeline.hysteresis.degrees)")
  try expect(
    (0...2).contains(pipeline.filterTimeConstantSeconds),
    "FilterTimeConstant=\(pipeline.filterTimeConstantSeconds)")
  try expect(
    (0...60).contains(pipeline.handlingMemorySeconds), "HandlingMemory=\(pipeline.handlingMemorySeconds)")
  try expect((0.001...1000).contains(configuration.scaleFactor), "ScaleFactor=\(configuration.scaleFactor)")
  try expect((1...4096).contains(limits.clients), "MaxClients=\(limits.clients)")
  try expect((1...4096).contains(limits.clientsPerUser), "MaxClientsPerUser=\(limits.clientsPerUser)")
  try expect((1...65536).contains(limits.beginsPerClient), "MaxBeginsPerClient=\(limits.beginsPerClient)")
  try expect(configuration.initialInterfaceOrientation != .unknown, "InitialInterfaceOrientation=unknown")
  if let matrix = configuration.mountMatrix { try checkLaws(of: matrix) }
}
