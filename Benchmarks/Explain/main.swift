// SPDX-License-Identifier: Apache-2.0

// What `make plot` shows: the daemon's pipeline over a recording, with all that led to its decisions. It prints a line of
// CSV for each sample that the hot loop would see: the filtered gravity, its angle past the nearest border in degrees, the doubt, the
// evidence, the orientation.

import Glibc
import IIO
import Orientation
import OrientationService
import SensorSetup

func explain(_ recording: Recording, configuration: Configuration) {
  var pipeline = OrientationPipeline(transform: .identity, settings: configuration.pipeline)
  var orientation = DeviceOrientation.unknown
  puts("t_s,x,y,z,past,doubt,evidence,state")
  for entry in recording.entries(atRate: configuration.sampleRate) {
    let read = entry.acceleration
    let sample = Sample<SensorFrame>(
      time: BootTime(nanoseconds: Int64((entry.seconds * 1e9).rounded())),
      acceleration: Acceleration(x: read.x, y: read.y, z: read.z))
    if let change = pipeline.process(sample) { orientation = change.orientation }
    let gravity = pipeline.gravity
    let border = NearestBorder(of: orientation, gravity: gravity, hysteresis: Angle(degrees: 0))
    let past = border.map { asin($0.sinePastMiddle) * 180 / .pi } ?? .nan
    puts(
      "\(entry.seconds),\(gravity.x),\(gravity.y),\(gravity.z),\(past),\(pipeline.doubt),\(pipeline.evidence),"
        + orientation.name)
  }
}

func run() -> CInt {
  let arguments = CommandLine.arguments
  guard arguments.count == 2 || arguments.count == 3 else {
    puts("usage: explain TRACE [CONFIGURATION]")
    return 2
  }
  do {
    var configuration = Configuration()
    if arguments.count == 3 {
      let (loaded, problems) = try Configuration.load(path: arguments[2])
      for problem in problems { puts("# \(problem)") }
      configuration = loaded
    }
    explain(try Recording(contentsOf: arguments[1], backwardTime: .taken), configuration: configuration)
    return 0
  } catch {
    puts("explain: \(error)")
    return 1
  }
}

exit(run())
