// SPDX-License-Identifier: Apache-2.0

// What waits does so in GLib's loop or on the thread of the bus. Swift's own pool of threads, once it was used, wakes up each second.

import CAdwaita
import OrientationClient

/// Starts a task of the main actor.
@MainActor @discardableResult
package func start(_ body: @escaping @MainActor () async -> Void) -> Task<Void, Never> {
  Task(executorPreference: OrientationDevice.executor, operation: body)
}

/// Waits for a second.
@MainActor
package func second() async {
  let _: Void = await answer { data in
    g_timeout_add(
      1000,
      { data in
        Answer<Void>.give((), to: data)
        return 0
      }, data)
  }
}

/// Runs the application until its window is closed; GLib's loop runs the main actor.
///
/// - Parameters:
///   - name: the name of the application.
///   - activate: called when the program starts, or is started once more.
/// - Returns: the exit status.
@MainActor
package func runApplication(_ name: String, activate: @escaping @MainActor (Widget) -> Void) -> CInt {
  g_unix_fd_add(
    MainActorLoop.descriptor, G_IO_IN,
    { _, _, _ in
      MainActor.assumeIsolated { MainActorLoop.run() }
      return 1
    }, nil)
  let application = Widget(pointer: ui_application(name))
  application.on("activate") { activate(application) }
  return ui_run(application.pointer)
}

/// Waits until a function of C has called back.
///
/// - Parameter ask: calls it with this data, for ``Answer/give(_:to:)``.
/// - Returns: what was given.
@MainActor
package func answer<Value: Sendable>(_ ask: (UnsafeMutableRawPointer) -> Void) async -> Value {
  await withCheckedContinuation { ask(Unmanaged.passRetained(Answer<Value>($0)).toOpaque()) }
}

/// The end of a wait.
package final class Answer<Value: Sendable> {
  private let continuation: CheckedContinuation<Value, Never>

  fileprivate init(_ continuation: CheckedContinuation<Value, Never>) { self.continuation = continuation }

  /// Ends the wait with this data; once.
  package static func give(_ value: Value, to data: UnsafeMutableRawPointer?) {
    guard let data else { return }
    Unmanaged<Answer>.fromOpaque(data).takeRetainedValue().continuation.resume(returning: value)
  }
}
