// SPDX-License-Identifier: Apache-2.0

// Saves and loads states in a process that tests can kill, or that may do less than the tests' own.

import Glibc
import Orientation
import OrientationService

exit(run(Array(CommandLine.arguments.dropFirst())))

func run(_ arguments: [String]) -> CInt {
  guard arguments.count == 2 else { return 64 }
  let file = StateFile(folder: arguments[1])
  do {
    switch arguments[0] {
    case "save-forever": try saveForever(to: file)
    case "save-within-limits": try saveWithinLimits(to: file)
    case "save": try file.save(.locked)
    case "load": say("\(try file.load())")
    default: return 64
    }
    return 0
  } catch {
    say("\(error)")
    return 1
  }
}

extension SavedState {
  /// Two states that differ in everything.
  static let locked = SavedState(
    isRotationLocked: true, interfaceOrientation: .landscapeLeft, supported: .landscape)
  static let free = SavedState(interfaceOrientation: .portraitUpsideDown, supported: .all)
}

/// Saves two states in turn, as fast as the disk takes them; says when it has begun.
func saveForever(to file: StateFile) throws(StateFileError) {
  try file.save(.locked)
  say("begun")
  while true {
    try file.save(.free)
    try file.save(.locked)
  }
}

/// Saves a state as often as it has bytes, with space for a byte more each time, and says what comes of it.
///
/// A write beyond the limit is cut short, and the next one fails: as on a disk that is full.
func saveWithinLimits(to file: StateFile) throws(StateFileError) {
  signal(SIGXFSZ, SIG_IGN)
  let fileSize = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
  var limit = rlimit()
  getrlimit(fileSize, &limit)
  for size in 0...SavedState.locked.text.utf8.count {
    limit.rlim_cur = rlim_t(size)
    setrlimit(fileSize, &limit)
    do throws(StateFileError) {
      try file.save(.locked)
      say("saved")
    } catch {
      say(
        "\(error); \(try file.load() == .state(.free) ? "the old state is whole" : "the old state is lost")")
    }
  }
}

/// Prints a line, unbuffered: the test reads along.
func say(_ line: String) {
  let text = line + "\n"
  _ = write(STDOUT_FILENO, text, text.utf8.count)
}
