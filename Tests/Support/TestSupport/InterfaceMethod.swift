// SPDX-License-Identifier: Apache-2.0

package import Systemd

extension Interface.Member {
  /// A method that answers at once: what the body appends to `reply` is sent after it.
  package static func method(
    _ name: String, inputs: Interface.Arguments = [:], outputs: Interface.Arguments = [:],
    body:
      @escaping (_ handler: Handler, _ call: borrowing Message, _ reply: borrowing Message) throws(BusError)
      ->
      Void
  ) -> Interface.Member<Handler> {
    method(name, inputs: inputs, outputs: outputs) { handler, call throws(BusError) in
      let reply = try call.reply()
      try body(handler, call, reply)
      try reply.send()
    }
  }
}

extension BusError.Name {
  /// There is no such method, or not with this signature.
  package static let unknownMethod = "org.freedesktop.DBus.Error.UnknownMethod"
}
