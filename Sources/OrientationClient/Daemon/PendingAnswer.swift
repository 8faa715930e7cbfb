// SPDX-License-Identifier: Apache-2.0

/// What waits for an answer of the daemon, or for the end of the wait; the first of them counts.
final class PendingAnswer<Value> {
  private var resume: ((Result<Value, OrientationError>) -> Void)?

  init(_ resume: @escaping (Result<Value, OrientationError>) -> Void) { self.resume = resume }

  /// Ends the wait; false if it has ended before.
  func succeed(_ value: Value) -> Bool { end(.success(value)) }

  /// Ends the wait, unless it has ended before.
  func fail(_ error: OrientationError) { _ = end(.failure(error)) }

  private func end(_ result: Result<Value, OrientationError>) -> Bool {
    guard let resume else { return false }
    self.resume = nil
    resume(result)
    return true
  }
}
