// SPDX-License-Identifier: Apache-2.0

// The paths of the configuration, by the rules of systemd's own daemons, so `systemd-analyze cat-config orientationd.conf`
// shows it. The main file is the first that exists in /etc, /run, /usr/local/lib and /usr/lib. Then come the drop-ins of
// all four orientationd.conf.d folders, ordered by file name; a drop-in hides those with the same name in later folders.

import CLinux
import IIO

extension Configuration {
  /// Reads files again, in their order.
  ///
  /// No error in them changes the values in use. A key with a wrong value keeps the old one. If it is unknown which key a
  /// line sets, it may be any key; so if there is such a line, every key that no other line sets keeps its old value. If a
  /// file or a folder cannot be read, the whole configuration is kept, because it may contain anything.
  package static func reload(
    _ paths: [String], unreadable folders: [ConfigurationProblem] = [], keeping running: Configuration
  ) -> (Configuration, [ConfigurationProblem]) {
    guard folders.isEmpty else { return (running, folders.map { $0.keepingOld }) }
    var files: [(path: String, content: IniFile)] = []
    for path in paths {
      do throws(ConfigurationProblem) {
        files.append((path, try IniFile(path: path)))
      } catch {
        return (running, [error.keepingOld])
      }
    }
    var configuration = files.allSatisfy { $0.content.isUnderstood } ? Configuration() : running
    var problems: [ConfigurationProblem] = []
    for (path, content) in files {
      problems += configuration.apply(content, path: path, keeping: running)
      guard !content.isUnderstood else { continue }
      problems.append(
        ConfigurationProblem(path: path, line: nil, reason: "a key that no line sets keeps its old value"))
    }
    return (configuration, problems)
  }

  private static let folders = ["/etc", "/run", "/usr/local/lib", "/usr/lib"]
  private static let fileName = "orientationd.conf"

  /// Reads the system's configuration: the main file and the drop-ins.
  ///
  /// - Parameter root: the folder that stands for "/".
  /// - Returns: the configuration, and the problems in it.
  package static func loadSystem(root: String = "") -> (Configuration, [ConfigurationProblem]) {
    var configuration = Configuration()
    var (paths, problems) = systemPaths(root: root)
    for path in paths {
      do throws(ConfigurationProblem) {
        problems += configuration.apply(try IniFile(path: path), path: path)
      } catch {
        problems.append(error)
      }
    }
    return (configuration, problems)
  }

  /// Reads only one file, for `--config`.
  ///
  /// - Throws: ``ConfigurationProblem`` if the file cannot be read.
  package static func load(path: String) throws(ConfigurationProblem) -> (
    Configuration, [ConfigurationProblem]
  ) {
    var configuration = Configuration()
    let problems = configuration.apply(try IniFile(path: path), path: path)
    return (configuration, problems)
  }

  /// The files of the system's configuration in the order in which they are read, and the folders that cannot be read.
  package static func systemPaths(root: String) -> ([String], [ConfigurationProblem]) {
    let main = folders.map { "\(root)\($0)/\(fileName)" }.first { (path: String) in access(path, F_OK) == 0 }
    let (dropIns, problems) = dropIns(root: root)
    return ((main.map { [$0] } ?? []) + dropIns, problems)
  }

  private static func dropIns(root: String) -> ([String], [ConfigurationProblem]) {
    var pathByName: [String: String] = [:]
    var problems: [ConfigurationProblem] = []
    for folder in folders {
      let folder = "\(root)\(folder)/\(fileName).d"
      do throws(FileError) {
        // As for systemd, a hidden file is none, such as an editor's.
        for name in try listFolder(folder)
        where name.hasSuffix(".conf") && !name.hasPrefix(".") && pathByName[name] == nil {
          pathByName[name] = "\(folder)/\(name)"
        }
      } catch {
        guard error.code != ENOENT else { continue }
        // The file may contain anything: if a mount matrix were ignored without a message, the screen would turn the wrong
        // way.
        let reason = "cannot be read: \(String(cString: strerror(error.code)))"
        problems.append(ConfigurationProblem(path: folder, line: nil, reason: reason))
      }
    }
    return (pathByName.sorted { $0.key < $1.key }.map { $0.value }, problems)
  }
}

extension ConfigurationProblem {
  /// The same problem for a service that keeps its configuration.
  fileprivate var keepingOld: ConfigurationProblem {
    ConfigurationProblem(path: path, line: nil, reason: "\(reason); the old configuration is kept")
  }
}

extension IniFile {
  /// Whether it is known for each line which key it sets.
  fileprivate var isUnderstood: Bool {
    problems.isEmpty && entries.allSatisfy { (try? $0.configurationKey()) != nil }
  }
}
