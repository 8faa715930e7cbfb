// SPDX-License-Identifier: Apache-2.0

import CLinux

/// Detects that another program takes a buffer that is in use here, which it does by a write to buffer/enable.
///
/// The value alone does not show it: iio-sensor-proxy (3.0) finds the buffer enabled, treats it as its own, and its open of
/// the node is refused from then on. The kernel reports the write (inotify(7)) without wakeups before it.
@usableFromInline  // for its deinit, as AttributeFile
struct BufferWatch: ~Copyable {
  /// Readable when a block of samples is available, or buffer/enable was written.
  let descriptor: CInt
  private let notices: CInt
  private let poll: CInt

  /// Watches a buffer from now on, by the device's node and buffer/enable; if inotify is not available, it reports nothing.
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

  /// Makes ``descriptor`` readable when another one is, until that is closed or removed.
  func add(_ source: CInt) {
    var readable = epoll_event()
    readable.events = EPOLLIN.rawValue
    epoll_ctl(poll, EPOLL_CTL_ADD, source, &readable)
  }

  /// Ends this.
  func remove(_ source: CInt) { epoll_ctl(poll, EPOLL_CTL_DEL, source, nil) }

  /// Whether buffer/enable was written since the last call.
  func wasSwitchWritten() -> Bool {
    // An event of a file that is watched itself has no name: watch, mask, cookie, length.
    var events: InlineArray<16, UInt32> = .init(repeating: 0)
    let count = withUnsafeMutableBytes(of: &events) { read(notices, $0.baseAddress, $0.count) }
    guard count >= 16 else { return false }
    return stride(from: 1, to: count / 4, by: 4).contains { events[$0] & UInt32(IN_CLOSE_WRITE) != 0 }
  }
}
