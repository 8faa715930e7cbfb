// SPDX-License-Identifier: Apache-2.0

import CLinux
import CSystemd

/// The sockets that the service manager has opened for this service (`sd_listen_fds_with_names`).
public struct PassedSockets: ~Copyable {
  /// The listening socket (`ListenStream=`), which does not block.
  package let listener: OwnedFileDescriptor
  /// The socket of the kernel's socket diagnostics (`ListenNetlink=inet-diag`); negative if there is none.
  ///
  /// It was opened in the manager's user namespace, so `PrivateUsers=` does not hide what the kernel says of users there.
  package let diagnostics: OwnedFileDescriptor

  /// Takes over the sockets with a name, and closes all others that were passed.
  ///
  /// It must be called once, before the process opens other descriptors of its own by their numbers.
  ///
  /// - Parameters:
  ///   - name: `FileDescriptorName=` of the sockets' unit.
  ///   - successor: gets the connection that the process before has stored for it.
  /// - Returns: the sockets; nil if there is no listening one.
  package static func take(named name: String, successor: NameSuccessor) -> PassedSockets? {
    var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    let count = sd_listen_fds_with_names(1, &names)
    guard count > 0, let names else { return nil }
    defer { free(names) }
    var (listener, diagnostics): (CInt, CInt) = (-1, -1)
    for index in 0..<Int(count) {
      // SD_LISTEN_FDS_START
      let descriptor = 3 + CInt(index)
      let isNamed = names[index].map { strcmp($0, name) == 0 } ?? false
      let isStored = names[index].map { strcmp($0, NameSuccessor.descriptorName) == 0 } ?? false
      free(names[index])
      if listener < 0, isNamed, sd_is_socket(descriptor, AF_UNIX, streamType, 1) > 0,
        makeNonblocking(descriptor) == 0
      {
        listener = descriptor
      } else if diagnostics < 0, isNamed, sd_is_socket(descriptor, AF_NETLINK, 0, -1) > 0 {
        diagnostics = descriptor
      } else if isStored {
        successor.adopt(descriptor)
      } else {
        close(descriptor)
      }
    }
    guard listener >= 0 else {
      close(diagnostics)
      return nil
    }
    return PassedSockets(
      listener: OwnedFileDescriptor(adopting: listener),
      diagnostics: OwnedFileDescriptor(adopting: diagnostics))
  }

  /// SOCK_STREAM, an enumerator in some C libraries and a number in others.
  private static var streamType: CInt { 1 }
}
