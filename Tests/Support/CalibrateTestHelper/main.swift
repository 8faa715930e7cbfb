// SPDX-License-Identifier: Apache-2.0

// orientationctl, but that `calibrate` has each pose held still for a tenth of a second instead of a whole one: the poses of all its
// tests would take a minute.

import ArgumentParser

@testable import OrientationctlKit

Orientationctl.main { command in
  guard let calibrate = command as? CalibrateCommand else { return try command.run() }
  try calibrate.run(secondsStill: 0.1)
}
