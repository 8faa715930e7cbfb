// SPDX-License-Identifier: Apache-2.0

extension IIOChannel {
  /// The file with the format of the channel's samples in a scan.
  var scanFormatPath: String { scanFile("type") }

  /// How the channel's samples are stored in a scan, as the driver writes it.
  func scanFormatText() throws(SourceError) -> String {
    guard let text = try textOfFile(scanFormatPath) else { throw .missingAttribute(path: scanFormatPath) }
    return text
  }
}
