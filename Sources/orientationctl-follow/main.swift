// SPDX-License-Identifier: Apache-2.0

// What `orientationctl follow` executes. It is a program of its own, so that orientationctl does not need the libraries of desktops.

import CLinux
import Following
import WaylandOutputs
import XOutputs

guard let request = FollowRequest(words: Array(CommandLine.arguments.dropFirst())) else {
  Report.error("do not start this program directly; run: orientationctl follow")
  exit(64)
}

do throws(CommandError) {
  let follower = try Follower(request) { loop, listener throws(CommandError) in
    if XOutputs.areInSession(environment: { getenv($0).map { String(cString: $0) } }) {
      return try XOutputs(output: request.output, loop: loop, listener: listener)
    }
    return try WaylandOutputs(loop: loop, listener: listener)
  }
  try follower.run()
  // At once: to close the connection to an X server that hangs would hang, too.
  withExtendedLifetime(follower) { exit(0) }
} catch {
  Report.error(error.description)
  exit(error.exitStatus)
}
