// SPDX-License-Identifier: Apache-2.0

import CLinux
import Dispatch

/// Runs the main actor in an app whose main loop is not Swift's: GTK's, Qt's, or one of its own; see <doc:MainLoops>.
///
/// On Linux the main actor's work is in the main queue of Dispatch. Foundation's RunLoop uses the same two functions, which Dispatch
/// has for main loops of others and declares in no header.
@MainActor
public enum MainActorLoop {
  /// A descriptor that is readable while there is work; it is always the same, and an app must not read or close it.
  public static var descriptor: CInt { mainQueueDescriptor() }

  /// Does the work that there is; for when the descriptor is readable.
  public static func run() {
    // Dispatch counts work in it, and leaves it to the main loop to take the count back.
    var count: eventfd_t = 0
    eventfd_read(descriptor, &count)
    runMainQueue(nil)
  }
}

@_silgen_name("_dispatch_get_main_queue_handle_4CF")
private func mainQueueDescriptor() -> CInt

@_silgen_name("_dispatch_main_queue_callback_4CF")
private func runMainQueue(_ unused: UnsafeMutableRawPointer?)
