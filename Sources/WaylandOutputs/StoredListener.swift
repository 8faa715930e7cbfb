// SPDX-License-Identifier: Apache-2.0

/// Stores a listener where libwayland can read it as long as the process lives.
func stored<Listener>(_ listener: Listener) -> UnsafeMutablePointer<Listener> {
  let pointer = UnsafeMutablePointer<Listener>.allocate(capacity: 1)
  pointer.initialize(to: listener)
  return pointer
}
