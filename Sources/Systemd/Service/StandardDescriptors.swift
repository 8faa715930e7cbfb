// SPDX-License-Identifier: Apache-2.0

import CLinux

/// Takes the numbers of the standard input, output and error that this process was started without, as with `>&-` in a shell.
///
/// Otherwise the next files, timers and sockets that it opens have these numbers: messages would be written into them, and a program
/// that it executes would have them. Whoever uses these descriptors has the error that closed ones have (EBADF), because they are
/// open in the wrong direction. This must be called before anything is opened.
package func reserveStandardDescriptors() {
  for (descriptor, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)] {
    var status = stat()
    // The kernel gives the lowest number that is free: this one.
    if fstat(descriptor, &status) != 0 { _ = open("/dev/null", mode) }
  }
}
