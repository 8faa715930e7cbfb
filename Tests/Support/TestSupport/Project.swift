// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// The folder of the project, whose documents and data tests hold against the sources.
package let projectFolder = URL(fileURLWithPath: #filePath).appending(path: "../../../..").standardized

/// The text of a file of the project.
///
/// - Parameter path: such as `README.md`.
/// - Returns: the text.
/// - Throws: what keeps it from being read.
package func projectFile(_ path: String) throws -> String {
  try String(contentsOf: projectFolder.appending(path: path), encoding: .utf8)
}
