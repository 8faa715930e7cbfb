// SPDX-License-Identifier: Apache-2.0

/// Events for any number of readers.
@MainActor
final class ControllerEvents<Event: Sendable> {
  /// The events that are kept for a reader that is late: the newest.
  private static var kept: Int { 32 }

  private var readers: [Int: AsyncStream<Event>.Continuation] = [:]
  private var next = 0

  /// The events from now on, until the owner of these events is gone.
  var stream: AsyncStream<Event> {
    let (stream, reader) = AsyncStream.makeStream(
      of: Event.self, bufferingPolicy: .bufferingNewest(Self.kept))
    let number = next
    next += 1
    readers[number] = reader
    reader.onTermination = { [weak self] _ in
      Task { @MainActor in self?.readers[number] = nil }
    }
    return stream
  }

  func send(_ event: Event) {
    for reader in readers.values { reader.yield(event) }
  }

  isolated deinit {
    for reader in readers.values { reader.finish() }
  }
}
