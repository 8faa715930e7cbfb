// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Each has the shell itself read the script.
@Suite("orientationctl's completion scripts")
struct CompletionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func script(for shell: String) throws -> String {
    try folder.write(
      orientationctl("--generate-completion-script", shell).output, to: "orientationctl.\(shell)")
  }

  /// What bash offers for the last of the words, under umockdev with these devices.
  private func bash(_ words: String..., devices: String = "") throws -> [String] {
    let asked = try folder.write(
      """
      source \(script(for: "bash"))
      COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*"
      COMP_POINT=${#COMP_LINE}
      _orientationctl "$1" "${COMP_WORDS[-1]}" "${COMP_WORDS[-2]}"
      printf '%s\\n' "${COMPREPLY[@]}"
      """, to: "ask.bash")
    let machine = try folder.write(devices, to: "machine.umockdev")
    let program = try ChildProcess(
      "umockdev-run", ["-d", machine, "--", "bash", "--norc", asked, "orientationctl"] + words)
    #expect(try program.exitCode() == 0)
    #expect(program.errors.isEmpty)
    return program.lines
  }

  @Test("are understood by their shells", arguments: ["bash", "zsh", "fish"])
  func parse(shell: String) throws {
    let program = try ChildProcess(shell, ["-n", script(for: shell)])
    #expect(try program.exitCode() == 0)
    #expect(program.errors.isEmpty)
    // A shell that reads nothing has nothing against it.
    #expect(folder.read("orientationctl.\(shell)").contains("landscapeLeft"))
  }

  @Test("in bash offer commands, orientations, and what options take")
  func words() throws {
    #expect(try bash("s") == ["status", "supported", "sensors"])
    #expect(try bash("rotate", "portrait") == ["portrait", "portraitUpsideDown"])
    #expect(try bash("rotate", "d") == ["device"])
    #expect(try bash("supported", "portrait", "l") == ["landscapeLeft", "landscapeRight", "landscape"])
    #expect(try bash("hold", "landscapeL") == ["landscapeLeft"])
    #expect(try bash("hold", "--a") == ["--application"])
    #expect(try bash("classify", "--pace", "") == ["always", "polled", "on-change"])
    #expect(try bash("monitor", "--s") == ["--screen", "--seconds"])
    #expect(try bash("monitor", "--p") == ["--picture"])
  }

  @Test("in bash offer recordings and configuration files")
  func files() throws {
    for name in ["turn.csv", "turn.png", "my.conf"] { try folder.write("", to: name) }
    #expect(try bash("classify", "\(folder.path)/tu") == ["\(folder.path)/turn.csv"])
    #expect(try bash("sensors", "--config", "\(folder.path)/m") == ["\(folder.path)/my.conf"])
    #expect(
      try bash("record", "\(folder.path)/turn").sorted()
        == ["csv", "png"].map { "\(folder.path)/turn.\($0)" })
  }

  @Test(
    "in bash offer the accelerometers, each by what means it alone and no shell takes for more than a word")
  func sensors() throws {
    let devices = [("hub", "accel_3d", "x"), ("left", "chip", "accel-left"), ("right", "chip", "$(reboot)")]
      .enumerated().map { number, device in
        """
        P: /devices/platform/\(device.0)/iio:device\(number)
        E: DEVTYPE=iio_device
        E: SUBSYSTEM=iio
        A: name=\(device.1)\\n
        A: label=\(device.2)\\n
        A: in_accel_x_raw=0\\n
        A: in_accel_y_raw=0\\n
        A: in_accel_z_raw=0\\n

        """
      }.joined(separator: "\n")
    let names = ["accel_3d", "accel-left", "/sys/devices/platform/right/iio:device2"]
    #expect(try bash("calibrate", "--hwdb", "--sensor", "", devices: devices) == names)
    #expect(try bash("record", "--sensor", "", devices: devices) == names + ["simulated"])
  }

  @Test("in fish offer orientations")
  func fish() throws {
    let program = try ChildProcess(
      "fish", ["--no-config", "-c", "source \(script(for: "fish")); complete -C 'orientationctl rotate l'"])
    #expect(try program.exitCode() == 0)
    #expect(program.lines == ["landscapeLeft", "landscapeRight"])
  }
}
