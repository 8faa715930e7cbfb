// SPDX-License-Identifier: Apache-2.0

// orientationctl, but that `calibrate` has each pose held still for a tenth of a second instead of a whole one, and the daemon
// try the matrix for 3 s instead of 15: all its tests would take two minutes.

import ArgumentParser

@testable import OrientationctlKit

Orientationctl.main { command in
  guard let calibrate = command as? CalibrateCommand else { return try command.run() }
  try calibrate.run(secondsStill: 0.1, previewSeconds: 3)
}
