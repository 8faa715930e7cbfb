// SPDX-License-Identifier: Apache-2.0

// The two seams between C libraries and Swift: out-parameters become results, and the userdata of a C
// callback becomes the Swift object that it is the address of.

import CLinux

/// Returns the object that a libsystemd function made through its out-parameter.
func create(
  _ operation: StaticString, _ make: (inout OpaquePointer?) -> CInt
) throws(SystemdError) -> OpaquePointer {
  var handle: OpaquePointer?
  try check(make(&handle), operation)
  guard let handle else { throw SystemdError(code: EINVAL, operation: operation.description) }
  return handle
}

/// Calls back into the object that userdata is the address of.
///
/// The object is retained meanwhile, as a handler may release the object's owner.
package func callback<Object: AnyObject>(
  _ type: Object.Type, _ userdata: UnsafeMutableRawPointer?, _ body: (Object) -> Void
) {
  guard let userdata else { return }
  let object = Unmanaged<Object>.fromOpaque(userdata).takeUnretainedValue()
  withExtendedLifetime(object) { body(object) }
}
