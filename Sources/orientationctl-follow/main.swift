// SPDX-License-Identifier: Apache-2.0

// What `orientationctl follow` executes. It is a program of its own, so that orientationctl does not need the libraries of desktops.

import CLinux
import Following
import WaylandOutputs
import XOutputs

guard let request = FollowRequest(words: Array(CommandLine.arguments.dropFirst())) else {
  Report.error("this is the program that runs for: orientationctl follow")
  exit(64)
}

do throws(FollowFailure) {
  let follower = try Follower(request) { loop, listener throws(FollowFailure) in
    if XSession.isThere(environment: { getenv($0).map { String(cString: $0) } }) {
      return try XOutputs(output: request.output, loop: loop, listener: listener)
    }
    return try WaylandOutputs(loop: loop, listener: listener)
  }
  try follower.run()
} catch {
  Report.error(error.description)
  exit(error.exitStatus)
}
