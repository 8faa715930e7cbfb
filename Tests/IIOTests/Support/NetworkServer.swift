// SPDX-License-Identifier: Apache-2.0

import Glibc
import IIO

/// Debian's iiod, serving the mock devices of this process on a free port of this machine.
struct NetworkServer: ~Copyable {
  /// The host and port to connect to.
  let host: String
  private let process: pid_t

  /// Starts iiod and waits until it answers.
  init() throws {
    let port = Self.freePort()
    let host = "127.0.0.1:\(port)"
    let arguments: [UnsafeMutablePointer<CChar>?] = [
      strdup("/usr/sbin/iiod"), strdup("-p"), strdup("\(port)"), nil,
    ]
    defer { for argument in arguments { free(argument) } }
    // The environment has umockdev's preload and test bed in it.
    var process: pid_t = 0
    let code = posix_spawn(&process, "/usr/sbin/iiod", nil, nil, arguments, environ)
    guard code == 0 else { throw SourceError.system(operation: "starting iiod", code: code) }
    self.host = host
    self.process = process
    // It takes some tens of milliseconds; a minute is for a machine with much else to do.
    for _ in 0..<6000 {
      do throws(SourceError) {
        _ = try RemoteContext.open(IIOAddress(host: host), timeoutMilliseconds: 1000)
        return
      } catch {
        usleep(10_000)
      }
    }
  }

  /// Its only sensor, read 100 times a second.
  func source() throws -> PolledSource {
    try PolledSource(networkSensor(host), at: IIOAddress(host: host), rate: 100)
  }

  deinit {
    kill(process, SIGKILL)
    waitpid(process, nil, 0)
  }

  private static func freePort() -> UInt16 {
    let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        _ = bind(listener, generic, length)
        _ = getsockname(listener, generic, &length)
      }
    }
    return UInt16(bigEndian: address.sin_port)
  }
}
