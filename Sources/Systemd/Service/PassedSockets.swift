// SPDX-License-Identifier: Apache-2.0

import CLinux
import CSystemd

/// The sockets that the service manager has opened for this service (`sd_listen_fds_with_names`).
public enum PassedSockets {
  /// Takes over the listening socket for packets (`ListenSequentialPacket=`) with a name, and closes all other sockets that were passed.
  ///
  /// It must be called once, before the process opens other descriptors of its own by their numbers.
  ///
  /// - Parameter name: `FileDescriptorName=` of the socket's unit.
  /// - Returns: the socket, which does not block; nil if the service manager has passed no such socket.
  public static func takePacketListener(named name: String) -> OwnedFileDescriptor? {
    var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    let count = sd_listen_fds_with_names(1, &names)
    guard count > 0, let names else { return nil }
    defer { free(names) }
    var found: CInt = -1
    for index in 0..<Int(count) {
      // SD_LISTEN_FDS_START
      let descriptor = 3 + CInt(index)
      let isNamed = names[index].map { strcmp($0, name) == 0 } ?? false
      free(names[index])
      if found < 0, isNamed, sd_is_socket(descriptor, AF_UNIX, packetType, 1) > 0,
        makeNonblocking(descriptor) == 0
      {
        found = descriptor
      } else {
        close(descriptor)
      }
    }
    return found < 0 ? nil : OwnedFileDescriptor(adopting: found)
  }

  /// SOCK_SEQPACKET, an enumerator in some C libraries and a number in others.
  private static var packetType: CInt { 5 }
}
