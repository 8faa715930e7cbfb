// SPDX-License-Identifier: Apache-2.0

import IIO
import Orientation
import TestSupport
import Testing

@testable import SensorSetup

/// Reads a configuration file of this content.
private func load(_ text: String) throws -> (configuration: Configuration, problems: [ConfigurationProblem]) {
  let folder = try TemporaryFolder()
  let path = try folder.write(text, to: "orientationd.conf")
  let (configuration, problems) = try Configuration.load(path: path)
  #expect(problems.allSatisfy { $0.path == path })
  return (configuration, problems)
}

@Suite("The configuration")
struct ConfigurationTests {
  @Test("an empty file, and one of remarks and blank lines, leave the defaults")
  func empty() throws {
    for text in ["", "\n\n", "# SampleRate=50\n; SampleRate=50\n\n[Orientation]\n"] {
      let (configuration, problems) = try load(text)
      #expect(configuration == Configuration())
      #expect(problems.isEmpty)
    }
  }

  @Test("every key is taken over, with blanks around it, and with or without the section")
  func everyKey() throws {
    let keys = """
      Sensor=kxcjk1013
      SampleRate = 50
      AdaptSampleRate=no
      MountMatrix=0, 1, 0; 1, 0, 0; 0, 0, 1
      MountMatrixSource=driver
      ScaleFactor=9.8
      AxisConvention=kernel
      FaceAxis=inverted
      NaturalOrientation=landscapeLeft
      LaptopOrientation=landscapeRight
      InitialInterfaceOrientation=portraitUpsideDown
      AlwaysOn=yes
      SensorProxy=yes
      HardwareLock=switch
      TabletModeSwitch=no
      FollowIn=tablet
      Responsiveness=calm
      Hysteresis=15
      FilterTimeConstant=0.2
      HandlingMemory=0.5
      MaxClients=4096
      MaxClientsPerUser=1
      MaxBeginsPerClient=65536
      """
    var expected = Configuration()
    expected.sensor = .named("kxcjk1013")
    expected.sampleRate = 50
    expected.restPace = nil
    expected.mountMatrix = try MountMatrix(parsing: "0, 1, 0; 1, 0, 0; 0, 0, 1")
    expected.mountMatrixSource = .driver
    expected.scaleFactor = 9.8
    expected.axisConvention = .kernel
    expected.faceAxis = .inverted
    expected.naturalOrientation = .landscapeLeft
    expected.laptopOrientation = .landscapeRight
    expected.initialInterfaceOrientation = .portraitUpsideDown
    expected.alwaysOn = true
    expected.sensorProxy = true
    expected.hardwareLock = .switchOnly
    expected.tabletModeSwitch = false
    expected.followIn = .tablet
    expected.pipeline.responsiveness = .calm
    expected.pipeline.hysteresis = Angle(degrees: 15)
    expected.pipeline.filterTimeConstantSeconds = 0.2
    expected.pipeline.handlingMemorySeconds = 0.5
    expected.limits.clients = 4096
    expected.limits.clientsPerUser = 1
    expected.limits.beginsPerClient = 65_536
    for text in [keys, "[Orientation]\n" + keys + "\n", keys.replacing("\n", with: "\r\n")] {
      let (configuration, problems) = try load(text)
      #expect(configuration == expected)
      #expect(problems == [])
    }
    for key in ConfigurationKey.allCases { #expect(keys.contains(key.rawValue), "\(key) is missing here") }
  }

  @Test(
    "the bounds of each number are taken, and what lies beyond is not",
    arguments: [
      ("SampleRate", ["5", "200"], ["4.9", "201", "0", "-25"]),
      ("Hysteresis", ["0", "40"], ["-1", "41"]),
      ("FilterTimeConstant", ["0", "2"], ["-0.1", "2.1"]),
      ("HandlingMemory", ["0", "60"], ["-0.1", "60.1"]),
      ("MaxClients", ["1", "4096"], ["0", "4097", "1.5", "many", ""]),
      ("MaxClientsPerUser", ["1", "4096"], ["0", "4097", "-1"]),
      ("MaxBeginsPerClient", ["1", "65536"], ["0", "65537", "99999999999999999999"]),
    ])
  func bounds(key: String, right: [String], wrong: [String]) throws {
    for value in right { #expect(try load("\(key)=\(value)").problems.isEmpty) }
    for value in wrong + ["nan", "inf", "many", "25Hz", ""] {
      let (configuration, problems) = try load("\(key)=\(value)")
      #expect(configuration == Configuration())
      #expect(problems.count == 1)
      #expect(problems.first?.reason.hasPrefix("\(key)= takes a number of ") == true)
      #expect(problems.first?.reason.hasSuffix("not '\(value)'; ignored") == true)
    }
  }

  @Test(
    "a wrong value is named with what the key takes",
    arguments: [
      ("Sensor=ip:", "Sensor= takes auto, NAME, replay:FILE, simulated, ip:HOST or iio:URI, not 'ip:'"),
      ("ScaleFactor=0", "ScaleFactor= takes a number from 0.001 to 1000, not '0'"),
      ("ScaleFactor=-1", "ScaleFactor= takes a number from 0.001 to 1000, not '-1'"),
      ("ScaleFactor=nan", "ScaleFactor= takes a number from 0.001 to 1000, not 'nan'"),
      ("AxisConvention=windows", "AxisConvention= takes proxy or kernel, not 'windows'"),
      ("FaceAxis=up", "FaceAxis= takes auto or as-read or inverted, not 'up'"),
      (
        "NaturalOrientation=faceUp",
        "NaturalOrientation= takes auto or portrait or portraitUpsideDown or landscapeLeft or landscapeRight"
      ),
      (
        "InitialInterfaceOrientation=unknown",
        "takes portrait or portraitUpsideDown or landscapeLeft or landscapeRight, not 'unknown'"
      ),
      ("Responsiveness=fast", "Responsiveness= takes calm or normal or quick, not 'fast'"),
      ("HardwareLock=maybe", "HardwareLock= takes auto, yes, switch or no, not 'maybe'"),
      ("FollowIn=laptop", "FollowIn= takes always or tablet, not 'laptop'"),
      ("AlwaysOn=maybe", "AlwaysOn= takes yes or no, not 'maybe'"),
      ("MountMatrix=1,2", "1,2"),
      ("MountMatrix=1,0,0;1,0,0;0,0,1", "singular"),
      ("Rate=5", "unknown key 'Rate'; the keys are Sensor, SampleRate, "),
      ("samplerate=50", "unknown key 'samplerate'"),
      ("[Sensors]\nSampleRate=50", "'SampleRate' is in the unknown section [Sensors]"),
      ("SampleRate", "neither a [section], a comment, nor a Key=value line"),
    ])
  func wrongValues(text: String, complaint: String) throws {
    let (configuration, problems) = try load("# a remark\n\n" + text + "\n")
    #expect(configuration == Configuration())
    #expect(problems.count == 1)
    #expect(problems.first?.line == 2 + text.split(separator: "\n").count)
    #expect(problems.first?.reason.contains(complaint) == true, "\(problems)")
    #expect(problems.first?.reason.hasSuffix("ignored") == true)
  }

  @Test(
    "truth has systemd's spellings", arguments: ["yes", "true", "on", "1", "y", "t"],
    ["no", "false", "off", "0"])
  func truth(yes: String, no: String) throws {
    #expect(try load("AlwaysOn=\(yes)").configuration.alwaysOn)
    #expect(try load("AlwaysOn=\(yes)\nAlwaysOn=\(no)").configuration.alwaysOn == false)
  }

  @Test(
    "the natural orientation and a laptop's are one of four or auto, and so is the first interface; empty takes it back"
  )
  func orientations() throws {
    for name in ["portrait", "portraitUpsideDown", "landscapeLeft", "landscapeRight"] {
      let (configuration, problems) = try load(
        "NaturalOrientation=\(name)\nLaptopOrientation=\(name)\nInitialInterfaceOrientation=\(name)")
      #expect(problems == [])
      #expect(configuration.naturalOrientation?.device.name == name)
      #expect(configuration.laptopOrientation == configuration.naturalOrientation)
      #expect(configuration.initialInterfaceOrientation?.name == name)
    }
    #expect(try load("NaturalOrientation=auto").configuration.naturalOrientation == nil)
    let (configuration, problems) = try load(
      "InitialInterfaceOrientation=portrait\nInitialInterfaceOrientation=\n")
    #expect(problems == [])
    #expect(configuration.initialInterfaceOrientation == nil)
  }

  @Test("the last of several lines counts, a wrong one leaves the one before, an empty matrix takes one back")
  func repeated() throws {
    let (configuration, problems) = try load(
      "SampleRate=50\nSampleRate=100\nSampleRate=1\nMountMatrix=0,1,0;1,0,0;0,0,1\nMountMatrix=\n")
    #expect(configuration.sampleRate == 100)
    #expect(configuration.mountMatrix == nil)
    #expect(problems.map(\.line) == [3])
  }

  @Test("indented lines are lines like others, as in systemd's files")
  func indented() throws {
    let (configuration, problems) = try load("[Orientation]\n  SampleRate=50\n\tAlwaysOn=yes\n  # a remark\n")
    #expect(configuration.sampleRate == 50)
    #expect(configuration.alwaysOn)
    #expect(problems == [])
  }
}
