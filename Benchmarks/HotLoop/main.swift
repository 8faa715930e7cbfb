// SPDX-License-Identifier: Apache-2.0

// What `make bench` counts the instructions and allocations of: the daemon's own hot loop, or the pipeline alone, over
// the given number of samples of a tablet in the hand. Counted once for few and once for many samples, the difference
// is what a sample costs.

import Glibc
import IIO
import Orientation
import OrientationService

/// A tablet that sways in the hand and is turned now and then, while it is shaken so that the second opinion decides; then
/// there is a knock, and the sensor hisses: the same numbers as in twin.c.
@inline(__always)
func reading(_ index: Int) -> Acceleration<SensorFrame> {
  let part = index % 512
  let sway = Double(index % 64) / 64 - 0.5
  let hiss = Double(index * 29 % 64) / 64 - 0.5
  var gravity =
    (index / 512) % 2 == 0 ? SIMD3(2 * sway, 9, 3 + sway) : SIMD3(9 + sway, 2 * sway, 3)
  if index >= 512 && part < 100 { gravity.z += index % 3 == 0 ? 30 : -15 }
  if part == 200 { gravity.z += 100 }
  if part >= 300 { gravity += SIMD3(hiss, -hiss, 0) }
  return Acceleration(x: gravity.x, y: gravity.y, z: gravity.z)
}

/// Samples at 25 Hz out of nothing.
struct SyntheticSource: SampleSource, ~Copyable {
  let sampleRate = 25.0
  private let count: Int
  private var index = 0
  // Computed in advance, as that is not part of the cost of a sample.
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

/// The same at 200 Hz.
struct QuickSource: SampleSource, ~Copyable {
  let sampleRate = 200.0
  private var samples: SyntheticSource

  init(count: Int) { samples = SyntheticSource(count: count) }

  mutating func next(interruptedBy wakeUp: borrowing WakeUpEvent) throws(SourceError)
    -> Sample<SensorFrame>?
  {
    guard let sample = try samples.next(interruptedBy: wakeUp) else { return nil }
    return Sample(time: BootTime(nanoseconds: sample.time.nanoseconds / 8), acceleration: sample.acceleration)
  }
}

/// Runs the loop for readers of motion over `count` samples at 200 Hz; what takes the samples out of the ring is not there.
func runLoopForReaders(_ count: Int) throws(SourceError) {
  let link = try SamplerLink()
  let feed = MotionFeed(signalling: try ThreadWakeUp())
  var pipeline = OrientationPipeline(transform: .identity)
  var signs: SignsOfLife? = SignsOfLife()
  var source = QuickSource(count: count)
  var readers = MotionOutlet(
    to: feed, transform: .identity, mean: BlockMean(rate: 25, sensorRate: source.sampleRate))
  try SampleLoop.run(
    &source, through: &pipeline, watching: &signs, feeding: &readers, for: 1, to: link)
}

/// Runs the pipeline alone over `count` samples, and shows its decisions if asked to; returns how many there were.
func runPipeline(_ count: Int, showsDecisions: Bool) -> Int {
  let readings = (0..<1024).map { reading($0) }
  var pipeline = OrientationPipeline(transform: .identity)
  var changes = 0
  for index in 0..<count {
    let time = BootTime(nanoseconds: Int64(index) * 40_000_000)
    guard let change = pipeline.process(Sample(time: time, acceleration: readings[index & 1023])) else {
      continue
    }
    changes += 1
    if showsDecisions { puts("\(index) \(change.orientation.rawValue)") }
  }
  return changes
}

func run() -> CInt {
  let arguments = CommandLine.arguments
  guard arguments.count == 3, let count = Int(arguments[2]) else {
    puts("usage: hot-loop loop|readers|pipeline|decisions COUNT")
    return 2
  }
  guard arguments[1] == "loop" || arguments[1] == "readers" else {
    puts("\(runPipeline(count, showsDecisions: arguments[1] == "decisions")) changes")
    return 0
  }
  do throws(SourceError) {
    if arguments[1] == "readers" { try runLoopForReaders(count) } else { try runLoop(count) }
    return 0
  } catch {
    puts("hot-loop: \(error)")
    return 1
  }
}

exit(run())
