// SPDX-License-Identifier: Apache-2.0

// What `orientationctl follow` executes in X sessions.

import Following
import XOutputs

Follower.main { request, loop, listener throws(CommandError) in
  try XOutputs(output: request.output, loop: loop, listener: listener)
}
