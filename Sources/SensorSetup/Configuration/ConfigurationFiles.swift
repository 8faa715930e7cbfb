// SPDX-License-Identifier: Apache-2.0

// Where the configuration lies, by the rules of systemd's own daemons, so that
// `systemd-analyze cat-config orientationd.conf` shows what holds: the main file is the first that exists in /etc, /run,
// /usr/local/lib and /usr/lib; then the drop-ins of all four orientationd.conf.d folders, ordered by file name, one
// in a folder further ahead hiding those of the same name behind it.

import CLinux
import IIO

extension Configuration {
  /// Reads files again, in their order.
  ///
  /// Nothing that is wrong with them undoes what is in use. A wrong value keeps the key's old one. A line of which nobody can
  /// tell what key it is about may be about any, so with one of those whatever no line sets keeps its old value. And
  /// a file or a folder that cannot be read may say anything, so all is kept.
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
  /// - Returns: the configuration, and whatever was passed over in it.
  public static func loadSystem(root: String = "") -> (Configuration, [ConfigurationProblem]) {
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

  /// Reads one file alone, as `--config` asks for.
  ///
  /// - Throws: ``ConfigurationProblem`` when the file cannot be read.
  public static func load(path: String) throws(ConfigurationProblem) -> (
    Configuration, [ConfigurationProblem]
  ) {
    var configuration = Configuration()
    let problems = configuration.apply(try IniFile(path: path), path: path)
    return (configuration, problems)
  }

  /// The files of the system's configuration that count, in the order in which they are read, and the folders that cannot be read.
  package static func systemPaths(root: String) -> ([String], [ConfigurationProblem]) {
    let main = folders.map { "\(root)\($0)/\(fileName)" }.first { exists($0) }
    let (dropIns, problems) = dropIns(root: root)
    return ((main.map { [$0] } ?? []) + dropIns, problems)
  }

  private static func dropIns(root: String) -> ([String], [ConfigurationProblem]) {
    var pathByName: [String: String] = [:]
    var problems: [ConfigurationProblem] = []
    for folder in folders {
      let folder = "\(root)\(folder)/\(fileName).d"
      do throws(FileError) {
        for name in try listFolder(folder) where name.hasSuffix(".conf") && pathByName[name] == nil {
          pathByName[name] = "\(folder)/\(name)"
        }
      } catch {
        guard error.code != ENOENT else { continue }
        // It may hold anything: a mount matrix that is not used without a word turns the screen the wrong way.
        let reason = "cannot be read: \(String(cString: strerror(error.code)))"
        problems.append(ConfigurationProblem(path: folder, line: nil, reason: reason))
      }
    }
    return (pathByName.sorted { $0.key < $1.key }.map { $0.value }, problems)
  }

  private static func exists(_ path: String) -> Bool {
    access(path, F_OK) == 0
  }
}

extension ConfigurationProblem {
  /// The same for a service that goes on as it is.
  fileprivate var keepingOld: ConfigurationProblem {
    ConfigurationProblem(path: path, line: nil, reason: "\(reason); the old configuration is kept")
  }
}

extension IniFile {
  /// Whether each line says which key it is about.
  fileprivate var isUnderstood: Bool {
    problems.isEmpty
      && entries.allSatisfy { entry in
        do throws(InvalidValue) {
          _ = try entry.configurationKey()
          return true
        } catch {
          return false
        }
      }
  }
}
