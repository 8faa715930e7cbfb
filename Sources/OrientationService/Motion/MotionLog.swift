// SPDX-License-Identifier: Apache-2.0

import IIO
import Systemd

/// What the journal sees of the motion socket.
extension ServiceLog {
  /// The thread that sends samples cannot be started.
  func cannotSendMotion(_ error: SourceError) {
    journal.log(
      .warning, "programs cannot be sent motion: \(error)", id: "8a1f0c1d5b3e4c0c9f6f4be0a2d51c60")
  }
}
