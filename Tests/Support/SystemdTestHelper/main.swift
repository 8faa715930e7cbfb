// SPDX-License-Identifier: Apache-2.0

// What the tests need a process of its own for: another environment, another standard error, a preload.

import Glibc
import Systemd

exit(run(Array(CommandLine.arguments.dropFirst())))

func run(_ arguments: [String]) -> CInt {
  do {
    switch arguments.first {
    case "notify": try notify()
    case "watchdog": return try watchOverLoop()
    case "journal": writeToJournal()
    case "property": try showProperty(name: arguments[1], path: arguments[2])
    case "buses": try nameOnBothBuses()
    case "devices": try monitorMockedDevices()
    default: return 64
    }
    return 0
  } catch {
    say("\(error)")
    return 1
  }
}

func notify() throws(SystemdError) {
  try ServiceManager.ready()
  try ServiceManager.stopping()
  say("no error")
}

func watchOverLoop() throws(SystemdError) -> CInt {
  let loop = try EventLoop()
  guard try loop.enableWatchdog() else {
    say("not asked for")
    return 0
  }
  let terminated = try loop.onSignal(SIGTERM) { loop.exit(3) }
  say("enabled")
  let code = try loop.run()
  _ = consume terminated
  return code
}

func nameOnBothBuses() throws(BusError) {
  say(try Bus.open(.system).uniqueName)
  say(try Bus.open(.session).uniqueName)
}

func writeToJournal() {
  let journal = Journal(identifier: "helper")
  say(journal.destination == .standardError ? "standard error" : "journal")
  journal.log(.warning, "a sensor is odd", id: "0123456789abcdef0123456789abcdef", fields: ["SENSOR": "x"])
}

func showProperty(name: String, path: String) throws(SystemdError) {
  say(try UdevDevice(sysfsPath: path).property(name) ?? "no such property")
}

/// Prints a line, unbuffered: the test reads along.
func say(_ line: String) {
  let text = line + "\n"
  _ = write(STDOUT_FILENO, text, text.utf8.count)
}
