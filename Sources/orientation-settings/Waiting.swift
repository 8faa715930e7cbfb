// SPDX-License-Identifier: Apache-2.0

// What waits does so in GLib's loop or on the thread of the bus. Swift's own pool of threads, once it was used, wakes up each second.

import CAdwaita
import OrientationClient

/// Starts a task of the main actor.
@MainActor @discardableResult
func start(_ body: @escaping @MainActor () async -> Void) -> Task<Void, Never> {
  Task(executorPreference: OrientationDevice.executor, operation: body)
}

/// Waits for a second.
@MainActor
func second() async {
  let _: Void = await answer { data in
    g_timeout_add(
      1000,
      { data in
        Answer<Void>.give((), to: data)
        return 0
      }, data)
  }
}

/// Waits until a function of C has called back.
///
/// - Parameter ask: calls it with this data, for ``Answer/give(_:to:)``.
/// - Returns: what was given.
@MainActor
func answer<Value: Sendable>(_ ask: (UnsafeMutableRawPointer) -> Void) async -> Value {
  await withCheckedContinuation { ask(Unmanaged.passRetained(Answer<Value>($0)).toOpaque()) }
}

/// The end of a wait.
final class Answer<Value: Sendable> {
  private let continuation: CheckedContinuation<Value, Never>

  fileprivate init(_ continuation: CheckedContinuation<Value, Never>) { self.continuation = continuation }

  /// Ends the wait with this data; once.
  static func give(_ value: Value, to data: UnsafeMutableRawPointer?) {
    guard let data else { return }
    Unmanaged<Answer>.fromOpaque(data).takeRetainedValue().continuation.resume(returning: value)
  }
}
