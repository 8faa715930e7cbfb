// SPDX-License-Identifier: Apache-2.0

import CLinux

extension String {
  /// Whether it comes before another text when the numbers in both are compared as numbers: ".9.auto" before ".10.auto".
  ///
  /// Numbers can have any length. One that begins with zero has a fixed width, and perhaps hexadecimal digits, as those of HID
  /// devices ("0018:8087:0AC2.000A"): it is compared digit by digit.
  package func naturallyPrecedes(_ other: String) -> Bool { strverscmp(self, other) < 0 }
}
