// SPDX-License-Identifier: Apache-2.0

import CLinux
import IIO
import Systemd

/// Tells when the sampler thread hangs in a sensor's driver, and when it is back. (`ReturnTimer` has how.)
struct SamplerWatch: ~Copyable {
  /// Where the thread is.
  enum Whereabouts {
    /// In a driver, for longer than any healthy sensor takes.
    case hanging
    /// Back.
    case back
  }

  private let hang: EventSource
  private let back: EventSource

  init(
    of link: SamplerLink, loop: borrowing EventLoop, tell: @escaping (Whereabouts) -> Void
  ) throws(SystemdError) {
    let hang = try loop.onReadable(link.wakeUp.hangDescriptor) {
      var expirations: eventfd_t = 0
      // Nothing to read where the thread came back at the last moment.
      if eventfd_read(link.wakeUp.hangDescriptor, &expirations) == 0 { tell(.hanging) }
    }
    let back = try loop.onReadable(link.wakeUp.returnDescriptor) {
      var count: eventfd_t = 0
      _ = eventfd_read(link.wakeUp.returnDescriptor, &count)
      tell(.back)
    }
    self.hang = hang
    self.back = back
  }
}
