// SPDX-License-Identifier: Apache-2.0

import CLinux

/// Tells that another program has taken hold of a buffer that is in use here: it writes the buffer's switch.
///
/// The state alone does not show it: iio-sensor-proxy (3.0) finds the buffer on, takes it for its own, and is refused each time it
/// opens the node from then on. The kernel tells who asks (inotify(7)), and wakes nobody up before.
@usableFromInline  // for its deinit, as AttributeFile
struct BufferWatch: ~Copyable {
  /// Readable when a block of samples is there, or the switch was written.
  let descriptor: CInt
  private let notices: CInt
  private let poll: CInt

  /// Watches a buffer from here on; without what that takes, it tells of nothing.
  ///
  /// - Parameters:
  ///   - node: the descriptor of the device's node.
  ///   - path: the switch.
  init(node: CInt, switch path: String) {
    let notices = inotify_init1(CInt(IN_NONBLOCK | IN_CLOEXEC))
    let poll = epoll_create1(CInt(EPOLL_CLOEXEC))
    var (samples, writes) = (epoll_event(), epoll_event())
    (samples.events, writes.events) = (EPOLLIN.rawValue, EPOLLIN.rawValue)
    let isWatching =
      inotify_add_watch(notices, path, UInt32(IN_CLOSE_WRITE)) >= 0
      && epoll_ctl(poll, EPOLL_CTL_ADD, node, &samples) == 0
      && epoll_ctl(poll, EPOLL_CTL_ADD, notices, &writes) == 0
    self.notices = notices
    self.poll = poll
    descriptor = isWatching ? poll : node
  }

  deinit {
    if notices >= 0 { close(notices) }
    if poll >= 0 { close(poll) }
  }

  /// Whether the switch was written; asking forgets it.
  func wasSwitchWritten() -> Bool {
    // An event of a file that is watched by itself has no name: number, kind, cookie, length.
    var events: InlineArray<16, UInt32> = .init(repeating: 0)
    let count = withUnsafeMutableBytes(of: &events) { read(notices, $0.baseAddress, $0.count) }
    guard count >= 16 else { return false }
    return stride(from: 1, to: count / 4, by: 4).contains { events[$0] & UInt32(IN_CLOSE_WRITE) != 0 }
  }
}
