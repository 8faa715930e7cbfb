// SPDX-License-Identifier: Apache-2.0

// What `orientationctl monitor --waybar` executes. It is a program of its own because it runs as long as the bar: in Embedded Swift, and
// without a parser of command lines, it needs a fraction of orientationctl's memory.

import CLinux
import Following
import Monitoring
import Systemd

keepHeapSmall()
guard let request = commandLineWords().flatMap({ WaybarRequest(words: $0) }) else {
  Report.error("do not start this program directly; run: orientationctl monitor --waybar")
  exit(64)
}
do throws(CommandError) {
  let monitor = try Monitor(
    request.isUserBus ? .session : .system, printer: WaybarPrinter(), limit: request.limit,
    seconds: request.seconds)
  try monitor.run()
} catch {
  Report.error(error.description)
  exit(error.exitStatus)
}
