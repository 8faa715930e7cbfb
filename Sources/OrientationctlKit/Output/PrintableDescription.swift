// SPDX-License-Identifier: Apache-2.0

import Systemd

extension CustomStringConvertible {
  /// The description on one line, with control characters and line breaks escaped: names from outside may be in it.
  var printable: String { description.printable }
}
