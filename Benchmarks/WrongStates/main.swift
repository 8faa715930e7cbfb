// SPDX-License-Identifier: Apache-2.0

// What `make quality` shows of wrong states: how the daemon's pipeline goes on from each orientation, at every 5 s of a
// recording. It prints a line of CSV for each change, with the start that it followed:
//
//   start_s    when it started
//   history    fresh: a new pipeline; warm: the one that has seen the recording until then
//   assumed    the orientation in which it started; empty: none, so the first change is the first report
//   t_s,state  the change; the first line of a start in an orientation is that orientation

import Glibc
import IIO
import Orientation
import OrientationService
import SensorSetup

let secondsBetweenStarts = 5.0
let secondsAfterStart = 20.0
let assumable: [DeviceOrientation] = [
  .portrait, .portraitUpsideDown, .landscapeLeft, .landscapeRight, .faceUp, .faceDown,
]

extension Recording.Entry {
  /// The sample as a sensor in the screen's axes would have delivered it.
  var sample: Sample<SensorFrame> {
    Sample(
      time: BootTime(nanoseconds: Int64((seconds * 1e9).rounded())),
      acceleration: Acceleration(x: acceleration.x, y: acceleration.y, z: acceleration.z))
  }
}

/// Prints the changes of a pipeline from the first of the samples on.
func follow(
  _ samples: ArraySlice<Recording.Entry>, from pipeline: OrientationPipeline, history: StaticString,
  assuming assumed: DeviceOrientation?
) {
  guard let start = samples.first?.seconds else { return }
  let title = "\(start),\(history),\(assumed?.name ?? "")"
  var pipeline = pipeline
  if let assumed {
    pipeline.assume(assumed)
    puts("\(title),\(start),\(assumed.name)")
  }
  for entry in samples {
    guard entry.seconds < start + secondsAfterStart else { return }
    guard let change = pipeline.process(entry.sample) else { continue }
    puts("\(title),\(entry.seconds),\(change.orientation.name)")
  }
}

/// Starts at every 5 s of a recording.
func start(in recording: Recording, configuration: Configuration) {
  let fresh = OrientationPipeline(transform: .identity, settings: configuration.pipeline)
  var warm = fresh
  let entries = recording.entries(atRate: configuration.sampleRate)
  guard let first = entries.first?.seconds else { return }
  var next = first
  puts("start_s,history,assumed,t_s,state")
  for (index, entry) in entries.enumerated() {
    if entry.seconds >= next {
      let samples = entries[index...]
      follow(samples, from: fresh, history: "fresh", assuming: nil)
      for orientation in assumable {
        follow(samples, from: fresh, history: "fresh", assuming: orientation)
        follow(samples, from: warm, history: "warm", assuming: orientation)
      }
      next += secondsBetweenStarts
    }
    _ = warm.process(entry.sample)
  }
}

func run() -> CInt {
  let arguments = CommandLine.arguments
  guard arguments.count == 2 || arguments.count == 3 else {
    puts("usage: wrong-states TRACE [CONFIGURATION]")
    return 2
  }
  do {
    var configuration = Configuration()
    if arguments.count == 3 {
      let (loaded, problems) = try Configuration.load(path: arguments[2])
      for problem in problems { puts("# \(problem)") }
      configuration = loaded
    }
    start(in: try Recording(contentsOf: arguments[1], backwardTime: .taken), configuration: configuration)
    return 0
  } catch {
    puts("wrong-states: \(error)")
    return 1
  }
}

exit(run())
