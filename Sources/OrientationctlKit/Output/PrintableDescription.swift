// SPDX-License-Identifier: Apache-2.0

import Systemd

extension CustomStringConvertible {
  /// The description on one line, with what would do something to a terminal shown instead: others' names may be in it.
  var printable: String { description.printable }
}
