// SPDX-License-Identifier: Apache-2.0

// What `make bench` counts the instructions and allocations of: the daemon's own hot loop, or the pipeline alone, over
// the given number of samples of a tablet in the hand. Counted once for few and once for many samples, the difference
// is what a sample costs.

import Glibc
import IIO
import Orientation
import OrientationService

/// A tablet that sways in the hand in portrait and is turned now and then: the same numbers as in twin.c.
@inline(__always)
func reading(_ index: Int) -> Acceleration<SensorFrame> {
  let sway = Double(index % 64) / 64 - 0.5
  return (index / 512) % 2 == 0
    ? Acceleration(x: 2 * sway, y: 9, z: 3 + sway) : Acceleration(x: 9 + sway, y: 2 * sway, z: 3)
}

/// Samples at 25 Hz out of nothing.
struct SyntheticSource: SampleSource, ~Copyable {
  let sampleRate = 25.0
  private let count: Int
  private var index = 0
  // Computed in advance, as making up a sample is no part of what the hot loop costs.
  private let readings: InlineArray<1024, Acceleration<SensorFrame>>

  init(count: Int) {
    self.count = count
    readings = InlineArray { reading($0) }
  }

  mutating func next(interruptedBy wakeUp: borrowing WakeUpEvent) throws(SourceError) -> Sample<SensorFrame>?
  {
    guard index < count else { return nil }
    defer { index &+= 1 }
    let time = BootTime(nanoseconds: Int64(index) &* 40_000_000)
    return Sample(time: time, acceleration: readings[index & 1023])
  }
}

/// Runs the daemon's hot loop over `count` samples.
func runLoop(_ count: Int) throws(SourceError) {
  let link = try SamplerLink()
  var pipeline = OrientationPipeline(transform: .identity)
  var signs: SignsOfLife? = SignsOfLife()
  var source = SyntheticSource(count: count)
  try SampleLoop.run(
    &source, through: &pipeline, watching: &signs, restingBy: RestDetector(), for: 1, to: link)
}

/// Runs the pipeline alone over `count` samples, and shows its decisions if asked to; returns how many there were.
func runPipeline(_ count: Int, showsDecisions: Bool) -> Int {
  var pipeline = OrientationPipeline(transform: .identity)
  var changes = 0
  for index in 0..<count {
    let time = BootTime(nanoseconds: Int64(index) * 40_000_000)
    guard let change = pipeline.process(Sample(time: time, acceleration: reading(index))) else { continue }
    changes += 1
    if showsDecisions { puts("\(index) \(change.orientation.rawValue)") }
  }
  return changes
}

func run() -> CInt {
  let arguments = CommandLine.arguments
  guard arguments.count == 3, let count = Int(arguments[2]) else {
    puts("usage: hot-loop loop|pipeline|decisions COUNT")
    return 2
  }
  if arguments[1] != "loop" {
    puts("\(runPipeline(count, showsDecisions: arguments[1] == "decisions")) changes")
    return 0
  }
  do throws(SourceError) {
    try runLoop(count)
    return 0
  } catch {
    puts("hot-loop: \(error)")
    return 1
  }
}

exit(run())
