// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Reads what a sequence of this library has, one element after the other.
public struct UpdateIterator<Element: Sendable>: AsyncIteratorProtocol {
  private let use: Use
  private var arrivals: AsyncStream<Void>.AsyncIterator
  private let take: () -> Element?

  /// Creates an iterator.
  ///
  /// - Parameters:
  ///   - use: what the elements need, until the end of the loop.
  ///   - arrivals: an element when there may be something to take.
  ///   - take: takes the next element; nil if there is none yet.
  init(use: Use, arrivals: AsyncStream<Void>, take: @escaping () -> Element?) {
    self.use = use
    self.arrivals = arrivals.makeAsyncIterator()
    self.take = take
  }

  /// Waits for the next element.
  ///
  /// - Returns: the element; nil if the task was cancelled.
  public mutating func next() async -> Element? { await next(isolation: nil) }

  /// Waits for the next element.
  ///
  /// - Parameter actor: where the caller runs.
  /// - Returns: the element; nil if the task was cancelled.
  public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
    while !Task.isCancelled {
      if let element = take() { return element }
      guard await arrivals.next(isolation: actor) != nil else { break }
    }
    use.end()
    return nil
  }
}

/// Something that is in use until it is ended, or nobody has it any more.
final class Use: Sendable {
  private let release: Mutex<(@Sendable () -> Void)?>

  init(_ release: @escaping @Sendable () -> Void) { self.release = Mutex(release) }

  /// Ends it; again, this does nothing.
  func end() {
    let release = release.withLock { release in
      defer { release = nil }
      return release
    }
    release?()
  }

  deinit { end() }
}
