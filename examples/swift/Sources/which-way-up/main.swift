// SPDX-License-Identifier: Apache-2.0

// Prints which way up the tablet is held, and each change, until it is interrupted.

import OrientationClient

for await orientation in OrientationDevice.current.orientations {
  print(orientation.name)
}
