// SPDX-License-Identifier: Apache-2.0

package import Following
package import Systemd

/// The outputs of an X server, by RandR, and the touchscreens and pens on the panel.
package final class XOutputs: TurnableOutputs {
  /// How long an output may be off before this is reported, in seconds.
  ///
  /// xrandr switches an output off while it turns it, and on again within some milliseconds.
  private static let patience = 0.5

  private let server: XServer
  private let touch: TouchDevices
  private let listener: OutputsListener
  private let name: String?
  private var readable: EventSource?
  private var timer: Timer?
  private var panel: String?
  /// What was reported last.
  private var layout: ScreenLayout?
  /// For what the devices were mapped last.
  private var mapped: ScreenLayout?
  /// A request came while another program was turning an output.
  private var isOutdated = false

  /// Connects to the X server of the session; its outputs are reported later.
  ///
  /// - Parameters:
  ///   - output: the output whose touchscreens are to be turned; nil is the one that is built in, or the upper one of two.
  ///   - loop: the loop of this thread.
  ///   - listener: receives what happens.
  /// - Throws: `CommandError` if there is none, or its outputs cannot be turned.
  package init(output: String?, loop: EventLoop, listener: OutputsListener) throws(CommandError) {
    server = try XServer()
    touch = XPatience.limit { [server] in TouchDevices(display: server.display) }
    name = output
    self.listener = listener
    try inEventLoop { () throws(SystemdError) in
      readable = try loop.onReadable(server.descriptor) { [unowned(unsafe) self] in
        XPatience.limit { dispatch() }
      }
      timer = try loop.timer { [unowned(unsafe) self] in
        XPatience.limit {
          report()
          dispatch()
        }
      }
    }
    loop.post { [unowned(unsafe) self] in XPatience.limit { start() } }
  }

  /// Asks the server for a change.
  package func apply(_ arrangement: Arrangement) {
    XPatience.limit { request(arrangement) }
  }

  private func request(_ arrangement: Arrangement) {
    let answer = server.alone { change(arrangement) }
    if answer == .outdated {
      isOutdated = true
      refresh()
    } else {
      report()
      if !server.hasEnded { listener.answered(answer) }
    }
    dispatch()
  }

  private func change(_ arrangement: Arrangement) -> PanelTurner.Answer {
    guard let present = server.layout(), present.outputs == layout?.outputs else { return .outdated }
    return server.set(present.changed(by: arrangement), in: present) ? .succeeded : .failed
  }

  private func start() {
    if let layout = server.layout(), layout.isOfXwayland { return fail(.xwayland) }
    touch.refresh()
    report()
    dispatch()
  }

  /// Handles events, also those that come while events are handled.
  private func dispatch() {
    while !server.hasEnded {
      let news = server.takeNews()
      if news.isEmpty { break }
      if news.contains(.devices) {
        touch.refresh()
        mapDevices()
      }
      if news.contains(.screen) { refresh() }
    }
    if server.hasEnded { fail(CommandError("the X server has ended")) }
  }

  /// Reports what has changed, but not yet that an output is off.
  private func refresh() {
    guard let present = server.layout() else { return waitForOutput() }
    if let layout, present.hasLost(since: layout) {
      waitForOutput()
    } else {
      report()
    }
  }

  /// Reports after a while what there is then.
  private func waitForOutput() {
    guard !server.hasEnded, timer?.isArmed == false else { return }
    timer?.arm(afterSeconds: Self.patience)
  }

  private func report() {
    timer?.cancel()
    guard let present = server.layout() else {
      return server.hasEnded ? fail(CommandError("the X server has ended")) : waitForOutput()
    }
    // After a request that was out of date, the outputs can be as they were again: the next request waits for a report.
    let isDue = isOutdated || present.outputs != layout?.outputs
    layout = present
    mapDevices()
    if isDue { listener.changed(present.outputs) }
    if isOutdated {
      isOutdated = false
      listener.answered(.outdated)
    }
  }

  private func mapDevices() {
    guard let layout else { return }
    if panel == nil, case .found(let names) = Panel(among: layout.outputs, named: name) { panel = names[0] }
    guard let panel else { return }
    guard layout.controller(named: panel)?.canTurn != false else {
      return fail(
        CommandError.unavailable(
          "the X server cannot turn \(panel.printable): its driver offers no rotation"))
    }
    touch.map(TouchMapping(panel: panel, before: mapped ?? layout, now: layout))
    mapped = layout
  }

  private func fail(_ failure: CommandError) {
    // The descriptor stays readable after the server's end.
    readable = nil
    listener.failed(failure)
  }
}
