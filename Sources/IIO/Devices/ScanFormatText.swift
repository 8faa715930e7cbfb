// SPDX-License-Identifier: Apache-2.0

extension IIOChannel {
  /// Where the driver says that.
  var scanFormatPath: String { scanFile("type") }

  /// How the channel's samples are stored in a scan, as the driver spells it.
  func scanFormatText() throws(SourceError) -> String {
    guard let text = try textOfFile(scanFormatPath) else { throw .missingAttribute(path: scanFormatPath) }
    return text
  }
}
