// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The object that a text is in JSON; the test fails where it is none.
func object(_ text: String) throws -> [String: Any] {
  try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
}
