// SPDX-License-Identifier: Apache-2.0

import CLinux

/// The other process that has a file open, as "process 123 (name)"; nil if there is none, or if it is hidden.
///
/// A process sees only those of the same user, and root sees all. The service's unit hides the others (ProtectProc=).
func holder(of path: String) -> String? {
  let own = getpid()
  for name in namesOfFiles(in: "/proc") {
    guard let process = pid_t(name), process != own else { continue }
    let folder = "/proc/\(name)/fd"
    for descriptor in namesOfFiles(in: folder) where isLink("\(folder)/\(descriptor)", to: path) {
      return "process \(name) (\(nameOfProcess(in: "/proc/\(name)")))"
    }
  }
  return nil
}

/// Whether a process has a device's node open: the kernel allows one at a time.
func isHeld(node: String) -> Bool {
  let descriptor = open(node, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
  guard descriptor < 0 else {
    close(descriptor)
    return false
  }
  return errno == EBUSY
}

private func isLink(_ link: String, to path: String) -> Bool {
  withUnsafeTemporaryAllocation(byteCount: Int(PATH_MAX), alignment: 1) { target in
    guard let start = target.assumingMemoryBound(to: CChar.self).baseAddress else { return false }
    let count = readlink(link, start, target.count)
    guard count >= 0 else { return false }
    return target[..<count].elementsEqual(path.utf8)
  }
}

/// The kernel's name of a process.
///
/// A program may choose it, so only printable characters are used.
private func nameOfProcess(in folder: String) -> String {
  let name = (try? readBytes(of: "\(folder)/comm", limit: 64)) ?? []
  return String(decoding: name.filter { (0x20..<0x7f).contains($0) }, as: UTF8.self)
}
