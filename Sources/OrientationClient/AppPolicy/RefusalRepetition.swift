// SPDX-License-Identifier: Apache-2.0

/// Repeats what the daemon has refused: after 5 s, and each time after twice as long, up to a minute.
@MainActor
struct RefusalRepetition {
  private static let first = Duration.seconds(5)
  private static let longest = Duration.seconds(60)

  private var pause = first
  private var task: Task<Void, Never>?

  /// Repeats it once, after the next pause; the one that was scheduled before does not come.
  mutating func schedule(_ body: @escaping @MainActor () -> Void) {
    task?.cancel()
    task = Task { [pause] in
      try? await Task.sleep(for: pause)
      if !Task.isCancelled { body() }
    }
    pause = min(pause * 2, Self.longest)
  }

  /// Cancels it, and begins with the shortest pause again.
  mutating func reset() {
    cancel()
    pause = Self.first
  }

  /// Does not repeat it.
  func cancel() { task?.cancel() }
}
