// SPDX-License-Identifier: Apache-2.0

import Foundation
import MockDevices
import TestSupport
import Testing

/// The source of the sensor driver, as the patch in `examples/motion/sdl3` adds it.
private func driverSource() throws -> String {
  let patch = try projectFile("examples/motion/sdl3/sdl-3.2.10-linux-sensors.patch")
  let file = try #require(patch.components(separatedBy: "+++ b/src/sensor/linux/SDL_linuxsensor.c\n").last)
  return file.split(separator: "\n").dropFirst().map { $0.dropFirst() + "\n" }.joined()
}

/// A program with that driver and the parts of SDL that it uses (`Tests/Support/SDLStandIn`).
private final class DriverProgram {
  let process: ChildProcess
  private let folder: TemporaryFolder

  /// Starts the program, which waits for the sensors' first states for longer than a game should: this machine may be busy.
  ///
  /// - Parameters:
  ///   - socket: the path of the motion socket.
  ///   - mode: the preferred mode of the internal panel; nil is no panel.
  /// - Throws: ``GaveUp`` if it cannot be compiled.
  init(at socket: String, mode: String? = nil) throws {
    folder = try TemporaryFolder()
    if let mode { try folder.write("\(mode)\n", to: "drm/card0-DSI-1/modes") }
    let wait = "#define MOTION_DETECT_MS 1000\n"
    let driver = try driverSource()
    guard driver.contains(wait) else { throw GaveUp(description: "the driver has no \(wait)") }
    let source = driver.replacing(wait, with: "#define MOTION_DETECT_MS 60000\n")
      .replacing("/run/orientationd/motion", with: socket)
      .replacing("/sys/class/drm", with: "\(folder.path)/drm")
    try folder.write(source, to: "SDL_linuxsensor.c")
    let standIn = projectFolder.appending(path: "Tests/Support/SDLStandIn").path
    let headers = projectFolder.appending(path: "data/include").path
    let compiler = try ChildProcess(
      "cc",
      ["-Wall", "-Wextra", "-Wno-unused-parameter", "-Werror", "-o", "\(folder.path)/program"]
        + ["\(standIn)/include", headers, folder.path].map { "-I\($0)" }
        + ["\(standIn)/main.c", "\(standIn)/protocol.c"])
    guard try compiler.exitCode() == 0 else { throw GaveUp(description: compiler.errors) }
    process = try ChildProcess("\(folder.path)/program")
  }

  /// Waits for a line that starts with a text.
  func wait(for text: String) throws { try wait(for: text) { _ in true } }

  /// Waits for a sample that was taken after a time on the boot-time clock, in nanoseconds.
  func wait(for sensor: String, since time: Int64) throws {
    try wait(for: sensor) { line in
      line.split(separator: " ").last.flatMap { Int64($0) }.map { $0 > time } ?? false
    }
  }

  private func wait(for text: String, where isWanted: (String) -> Bool) throws {
    do {
      try TestSupport.wait(for: text) { process.lines.contains { $0.hasPrefix(text) && isWanted($0) } }
    } catch {
      throw GaveUp(description: "\(error); printed: \(process.lines.prefix(10)); errors: \(process.errors)")
    }
  }
}

/// A daemon that serves the motion socket, on a tablet that is held upright and turns to the left by 0.5 rad/s.
private func turningTablet(_ socket: MotionSocket, bus: PrivateBus? = nil) throws -> Rig {
  try Rig(configuration: "AxisConvention=kernel\n", bus: bus, motionSocket: socket.descriptor) {
    $0.addDevice("iio:device0", attributes: chipAttributes())
    $0.addDevice("iio:device1", under: "platform/other", attributes: gyroscopeAttributes(z: "500"))
  }
}

@Suite("The sensor driver for SDL")
struct SDLDriverTests {
  @Test("lists both sensors, and gives their samples in the axes of a portrait panel")
  func samples() throws {
    let socket = try MotionSocket()
    let tablet = try turningTablet(socket)
    let program = try DriverProgram(at: socket.path, mode: "1200x1920")
    try program.wait(for: "accelerometer 0.00 9.81 0.00 at ")
    try program.wait(for: "gyroscope 0.00 0.00 0.50 at ")
    #expect(program.process.lines.prefix(3) == ["Accelerometer, id 1", "Gyro, id 2", "2 of 2 opened"])
    #expect(program.process.errors.isEmpty)
    _ = tablet
  }

  @Test("gives them in the axes of a landscape panel, whose top is the right edge of portrait")
  func landscape() throws {
    let socket = try MotionSocket()
    let tablet = try turningTablet(socket)
    let program = try DriverProgram(at: socket.path, mode: "1920x1200")
    try program.wait(for: "accelerometer -9.81 0.00 0.00 at ")
    try program.wait(for: "gyroscope -0.00 0.00 0.50 at ")
    _ = tablet
  }

  @Test("connects again after the daemon was restarted")
  func restart() throws {
    let (socket, bus) = (try MotionSocket(), try PrivateBus())
    let first = try turningTablet(socket, bus: bus)
    let program = try DriverProgram(at: socket.path)
    try program.wait(for: "gyroscope")
    #expect(try first.end() == 0)
    // What was in its queue is older.
    let restart = bootTime
    let second = try turningTablet(socket, bus: bus)
    try program.wait(for: "accelerometer", since: restart)
    try program.wait(for: "gyroscope", since: restart)
    _ = second
  }

  @Test("lists only the sensors that there are")
  func missing() throws {
    let socket = try MotionSocket()
    let tablet = try Rig(configuration: "AxisConvention=kernel\n", motionSocket: socket.descriptor) {
      $0.addDevice("iio:device0", attributes: chipAttributes())
    }
    let program = try DriverProgram(at: socket.path)
    try program.wait(for: "accelerometer")
    #expect(program.process.lines.prefix(2) == ["Accelerometer, id 1", "1 of 1 opened"])
    _ = tablet
  }

  @Test("lists no sensors without the socket")
  func noDaemon() throws {
    let program = try DriverProgram(at: "/nonexistent/motion")
    #expect(try program.process.exitCode() == 0)
    #expect(program.process.lines == ["0 of 0 opened"])
  }

  // The program itself is not compiled if its numbers and structures differ from those of the header.
  @Test("uses the path of the header")
  func path() throws {
    let header = try projectFile("data/include/orientationd-motion.h")
    let path = try #require(header.firstMatch(of: /ORIENTATIOND_MOTION_PATH (".*")/)?.1)
    #expect(try driverSource().contains("#define MOTION_PATH    \(path)\n"))
  }
}
