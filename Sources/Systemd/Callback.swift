// SPDX-License-Identifier: Apache-2.0

// The two seams between C libraries and Swift: results and out-parameters become values or errors, and the userdata of a C
// callback becomes the Swift object that it is the address of.

import CLinux

/// An error that can be made of a positive errno value.
protocol ErrnoError: Error {
  init(code: CInt, operation: String)
}

extension ErrnoError {
  /// Returns what a libsystemd call returned, or throws if that is a negative errno.
  @discardableResult
  static func check(_ result: CInt, _ operation: StaticString) throws(Self) -> CInt {
    guard result >= 0 else { throw Self(code: -result, operation: operation.description) }
    return result
  }

  /// Returns the object that a libsystemd function made through its out-parameter.
  static func create(
    _ operation: StaticString, _ make: (inout OpaquePointer?) -> CInt
  ) throws(Self) -> OpaquePointer {
    var handle: OpaquePointer?
    try check(make(&handle), operation)
    guard let handle else { throw Self(code: EINVAL, operation: operation.description) }
    return handle
  }
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
