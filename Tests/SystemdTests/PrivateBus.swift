// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A dbus-daemon of a test's own.
final class PrivateBus {
  let address: String
  private let daemon: ChildProcess
  private let directory: String

  /// The name that the policy of this bus lets nobody own.
  static let forbiddenName = "org.example.Forbidden"

  init() throws {
    var template = Array("/tmp/systemd-tests-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw ChildProcess.Failed(what: "mkdtemp", code: errno) }
    directory = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    let configuration = "\(directory)/bus.conf"
    let text = """
      <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
       "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
      <busconfig>
        <listen>unix:path=\(directory)/bus</listen>
        <auth>EXTERNAL</auth>
        <policy context="default">
          <allow send_destination="*"/>
          <allow receive_sender="*"/>
          <allow own="*"/>
          <deny own="\(PrivateBus.forbiddenName)"/>
        </policy>
      </busconfig>
      """
    guard let file = fopen(configuration, "w") else {
      throw ChildProcess.Failed(what: configuration, code: errno)
    }
    fputs(text, file)
    fclose(file)
    daemon = try ChildProcess([
      "dbus-daemon", "--nofork", "--print-address", "--config-file=\(configuration)",
    ])
    address = daemon.readLine()
  }

  /// Ends the daemon, as a crash would.
  func kill() {
    Glibc.kill(daemon.process, SIGKILL)
    _ = daemon.wait()
  }

  /// Has it do nothing until it is resumed.
  func stop() { Glibc.kill(daemon.process, SIGSTOP) }

  /// Has it go on.
  func resume() { Glibc.kill(daemon.process, SIGCONT) }

  deinit {
    kill()
    unlink("\(directory)/bus.conf")
    unlink("\(directory)/bus")
    rmdir(directory)
  }
}
