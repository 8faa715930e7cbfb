// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orientation
import TestSupport
import Testing

@Suite("orientationctl monitor")
struct MonitorTests {
  private let folder: TemporaryFolder
  private let bus: PrivateBus

  init() throws {
    folder = try TemporaryFolder()
    bus = try PrivateBus()
  }

  /// A sensor that is upright for a second and then has its right edge up, each time it is started.
  private var turningSensor: String {
    get throws {
      "replay:\(try folder.write(recording([.portrait, .landscapeLeft], seconds: 1), to: "replay.csv"))"
    }
  }

  private func names(_ program: ChildProcess) -> [String] {
    program.lines.compactMap { $0.split(separator: " ").last.map(String.init) }
  }

  @Test("shows what only something else than orientationd would say, in one line each")
  func hostileDaemon() throws {
    let daemon = try MockDaemon(on: bus, sensorName: "acc\u{1b}[2J\nx\u{202e}", sampleRate: 25)
    let program = try bus.orientationctl("monitor", "--count", "1")
    #expect(try program.exitCode() == 0)
    #expect(program.output.hasSuffix("  tablet mode acc\\u{1b}[2J\\u{a}x\\u{202e}\n"))
    #expect(program.lines.count == 1)
    #expect(program.errors == "orientationctl: listening to the sensor acc\\u{1b}[2J\\u{a}x\\u{202e}\n")
    withExtendedLifetime(daemon) {}
  }

  @Test("prints the present orientation, then each change, with the time")
  func changes() throws {
    let daemon = try bus.startDaemon(sensor: turningSensor)
    let monitor = try bus.orientationctl("monitor", "--device", "--count", "2")
    #expect(try monitor.exitCode() == 0)
    #expect(names(monitor) == ["portrait", "landscapeLeft"])
    #expect(monitor.lines.allSatisfy { $0.contains("  device ") })
    #expect(monitor.lines.allSatisfy { $0.prefix(12).count(where: { $0 == ":" }) == 2 })
    #expect(monitor.errors == "orientationctl: listening to the sensor \(sensorName)\n")
    withExtendedLifetime(daemon) {}
  }

  private var sensorName: String { "replay of \(folder.path)/replay.csv" }

  @Test("prints the present orientation where another program has the sensor run already")
  func present() throws {
    let daemon = try bus.startDaemon(sensor: turningSensor)
    let other = try bus.start("orientationctl", ["monitor", "--device"])
    try wait(for: "two changes") { other.lines.count == 2 }
    #expect(try names(bus.orientationctl("monitor", "--device", "--count", "1")) == ["landscapeLeft"])
    // No sample has just decided that.
    let line = try bus.orientationctl("monitor", "--device", "--json", "--count", "1").output
    #expect(try object(line)["sample_boottime_us"] is NSNull)
    withExtendedLifetime(daemon) {}
  }

  @Test("has no sample that decided what the rotation lock holds already")
  func locked() throws {
    let daemon = try bus.startDaemon(sensor: "simulated")
    #expect(try bus.orientationctl("lock").exitCode() == 0)
    #expect(try bus.orientationctl("monitor", "--device", "--count", "1").exitCode() == 0)
    for _ in 1...3 {
      let line = try bus.orientationctl("monitor", "--device", "--json", "--count", "1").output
      #expect(try object(line)["sample_boottime_us"] is NSNull)
    }
    withExtendedLifetime(daemon) {}
  }

  @Test("prints changes of the simulated tablet as JSON, an object a line")
  func json() throws {
    let daemon = try bus.startDaemon(sensor: "simulated")
    let monitor = try bus.orientationctl("monitor", "--device", "--json", "--count", "2")
    let changes = try monitor.lines.map { try object($0) }
    #expect(changes.map { $0["event"] as? String } == ["orientation", "orientation"])
    #expect(changes.map { $0["orientation"] as? Int } == [1, 3])
    #expect(changes.map { $0["name"] as? String } == ["portrait", "landscapeLeft"])
    let times = changes.compactMap { $0["boottime_us"] as? Int }
    #expect(times.count == 2 && times[0] < times[1])
    let sample = try #require(changes[1]["sample_boottime_us"] as? Int)
    #expect(sample > times[0] && sample <= times[1])
    #expect(changes.allSatisfy { ($0["time"] as? String)?.contains("T") == true })
    withExtendedLifetime(daemon) {}
  }

  @Test("waits for a daemon that is not there, and follows it through a restart")
  func restart() throws {
    let monitor = try bus.start("orientationctl", ["monitor", "--device"])
    try wait(for: "a note") {
      monitor.errors.contains("orientationd does not run on the system bus; waiting for it")
    }
    let first = try bus.startDaemon(sensor: turningSensor)
    try wait(for: "the changes") { monitor.lines.count == 2 }
    first.send(SIGTERM)
    #expect(try first.exitCode() == 0)
    try wait(for: "a note") {
      monitor.errors.contains("orientationd has stopped; waiting for it to start again")
    }
    try wait(for: "the change to unknown") { monitor.lines.count == 3 }
    let second = try bus.startDaemon(sensor: turningSensor)
    try wait(for: "the changes") { monitor.lines.count == 5 }
    #expect(names(monitor) == ["portrait", "landscapeLeft", "unknown", "portrait", "landscapeLeft"])
    withExtendedLifetime(second) {}
  }

  @Test("has the bus start the daemon once, not over and over")
  func activation() throws {
    let starts = "\(folder.path)/starts"
    let script = try folder.write(
      "echo $$ >>\(starts)\nexec orientationd --config /dev/null --sensor \(turningSensor)\n", to: "start")
    let bus = try PrivateBus(activating: ["org.orientationd1": "/bin/sh \(script)"])
    let monitor = try bus.start("orientationctl", ["monitor", "--device"])
    try wait(for: "the changes") { monitor.lines.count == 2 }
    let processes = folder.read("starts").split(separator: "\n").compactMap { pid_t($0) }
    for process in processes { kill(process, SIGTERM) }
    try wait(for: "a note") { monitor.errors.contains("orientationd has stopped") }
    monitor.send(SIGTERM)
    #expect(try monitor.exitCode() == 0)
    #expect(processes.count == 1)
    #expect(folder.read("starts") == "\(processes[0])\n")
  }

  @Test("ends its generating when a signal ends it", arguments: [SIGINT, SIGTERM])
  func signals(_ signal: CInt) throws {
    let daemon = try bus.startDaemon(sensor: turningSensor)
    let monitor = try bus.start("orientationctl", ["monitor", "--device"])
    try wait(for: "a change") { !monitor.lines.isEmpty }
    monitor.send(signal)
    #expect(try monitor.exitCode() == 0)
    #expect(!monitor.errors.contains("Error"))
    let status = try object(bus.orientationctl("status", "--json").output)
    #expect(status["generating"] as? Bool == false)
    withExtendedLifetime(daemon) {}
  }

  @Test("lets a pipe see each line at once, and ends quietly with its reader")
  func pipe() throws {
    let daemon = try bus.startDaemon(sensor: "replay:\(folder.write(recording([.faceUp]), to: "still.csv"))")
    // No second change ever comes that would make the monitor notice by writing.
    let pipeline = try bus.start(
      "sh", ["-c", "{ orientationctl monitor --device; echo $? >&2; } | head -n 1"])
    #expect(try pipeline.exitCode() == 0)
    #expect(names(pipeline) == ["faceUp"])
    // The shell has waited for both.
    #expect(pipeline.errors.split(separator: "\n").last == "0")
    withExtendedLifetime(daemon) {}
  }

  @Test("ends after --seconds with status 1, and says why, if no daemon ran during that time")
  func noDaemon() throws {
    let program = try bus.orientationctl("monitor", "--seconds", "0.3")
    #expect(try program.exitCode() == 1)
    #expect(
      program.errors.hasSuffix("Error: orientationd did not run during that time\n"),
      "\(program.errors)")
    #expect(program.output.isEmpty)
  }

  @Test("ends after --seconds with status 1, and says why, if the daemon has not answered during that time")
  func stoppedDaemon() throws {
    let daemon = try bus.startDaemon(sensor: turningSensor)
    daemon.send(SIGSTOP)
    defer { daemon.send(SIGCONT) }
    let program = try bus.orientationctl("monitor", "--seconds", "0.5")
    #expect(try program.exitCode() == 1)
    #expect(program.errors == "Error: orientationd did not answer during that time\n")
    #expect(program.output.isEmpty)
  }

  @Test("goes on with a daemon that has hung, and grants a client one subscription only")
  func hungDaemon() throws {
    let text = "NaturalOrientation=portrait\nMaxBeginsPerClient=1\n"
    let configuration = try folder.write(text, to: "one.conf")
    let daemon = try bus.startDaemon(sensor: turningSensor, ["--config", configuration])
    daemon.send(SIGSTOP)
    defer { daemon.send(SIGCONT) }
    // How long libsystemd waits for an answer, in seconds.
    let monitor = try bus.start("sh", ["-c", "SYSTEMD_BUS_TIMEOUT=2 exec orientationctl monitor --device"])
    // The daemon lets 16 calls of a client wait that it does not know yet.
    try wait(for: "ten repetitions") {
      monitor.errors.matches(of: /does not answer; asking again/).count >= 10 || !monitor.isRunning
    }
    daemon.send(SIGCONT)
    try wait(for: "the orientation") { names(monitor).contains("landscapeLeft") || !monitor.isRunning }
    #expect(monitor.isRunning, "\(monitor.errors)")
  }

  @Test("ends after --seconds, with status 1 where --count lines have not come by then")
  func seconds() throws {
    let daemon = try bus.startDaemon(sensor: turningSensor)
    #expect(try bus.orientationctl("monitor", "--seconds", "0.5").exitCode() == 0)
    let short = try bus.orientationctl("monitor", "--seconds", "0.5", "--count", "9")
    #expect(try short.exitCode() == 1)
    #expect(short.errors.contains("of 9 lines were printed in time"))
    withExtendedLifetime(daemon) {}
  }

  @Test("says that there is no sensor to listen to")
  func noSensor() throws {
    let daemon = try bus.startDaemon(sensor: "no-such-sensor")
    let monitor = try bus.orientationctl("monitor", "--device", "--seconds", "1")
    #expect(try monitor.exitCode() == 0)
    #expect(monitor.output.isEmpty)
    #expect(monitor.errors.contains("no accelerometer found; waiting for one to appear"))
    withExtendedLifetime(daemon) {}
  }

  @Test("fails when the bus ends, or there is none")
  func noBus() throws {
    let nowhere = ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent"]
    let program = try orientationctl("monitor", environment: nowhere)
    #expect(try program.exitCode() == 1)
    #expect(program.errors.contains("cannot connect to the system bus"))
    let monitor = try bus.start("orientationctl", ["monitor", "--device"])
    try wait(for: "a note") { monitor.errors.contains("waiting for it") }
    try bus.end()
    #expect(try monitor.exitCode() == 1)
    #expect(monitor.errors.contains("the connection to the system bus has ended"))
  }
}
