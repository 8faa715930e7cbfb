// SPDX-License-Identifier: Apache-2.0

// What `orientationctl follow` executes in Wayland sessions. It is a program of its own, so that orientationctl does not need the
// libraries of desktops, and this one no more than it uses.

import Following
import WaylandOutputs

Follower.main { _, loop, listener throws(CommandError) in try WaylandOutputs(loop: loop, listener: listener) }
