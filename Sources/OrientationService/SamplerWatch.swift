// SPDX-License-Identifier: Apache-2.0

import CLinux
import IIO
import Systemd

/// Tells when the thread that waits for an event hangs in a sensor's driver, and when it is back. (`ReturnTimer` has how.)
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
    of wakeUp: borrowing WakeUpEvent, loop: borrowing EventLoopReference,
    tell: @escaping (Whereabouts) -> Void
  ) throws(SystemdError) {
    let (hangDescriptor, returnDescriptor) = (wakeUp.hangDescriptor, wakeUp.returnDescriptor)
    let hang = try loop.onReadable(hangDescriptor) {
      var expirations: eventfd_t = 0
      // Nothing to read where the thread came back at the last moment.
      if eventfd_read(hangDescriptor, &expirations) == 0 { tell(.hanging) }
    }
    let back = try loop.onReadable(returnDescriptor) {
      var count: eventfd_t = 0
      _ = eventfd_read(returnDescriptor, &count)
      tell(.back)
    }
    self.hang = hang
    self.back = back
  }
}
