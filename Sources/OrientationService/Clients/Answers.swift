// SPDX-License-Identifier: Apache-2.0

import Systemd

extension Message {
  /// Answers a call.
  ///
  /// - Parameter results: appends what it returns.
  /// - Throws: `BusError` if that does not fit, or the connection is closed.
  borrowing func answer(_ results: (borrowing Message) throws(BusError) -> Void) throws(BusError) {
    let reply = try reply()
    try results(reply)
    try reply.send()
  }

  /// Answers a call with an error.
  ///
  /// It fails only if the connection is closed, and then the caller gets no answer anyway.
  borrowing func refuse(with error: BusError) { _ = try? reply(error) }
}
