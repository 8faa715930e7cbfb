// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Following

@Suite("What orientationctl passes on to the program that follows")
struct RequestTests {
  @Test("is read back as it was written")
  func roundTrip() throws {
    let command = try HookCommand(#"sh -c "echo 'a b'""#)
    for isUserBus in [false, true] {
      for output in [nil, "DSI-1", "--user", "-", "two words"] {
        for (first, second) in [
          (nil, nil), (command, nil), (nil, command), (try HookCommand("--user"), command),
        ] {
          var request = FollowRequest()
          (request.isUserBus, request.output) = (isUserBus, output)
          (request.onTabletMode, request.onTransform) = (first, second)
          #expect(FollowRequest(words: request.words) == request)
        }
      }
    }
  }

  @Test(
    "is refused if it is anything else",
    arguments: [
      ["--output"], ["DSI-1"], ["--help"], ["--user", "-x"], ["--on-transform"], ["--on-transform", ""],
      ["--on-tablet-mode", "'"],
    ])
  func refused(words: [String]) {
    #expect(FollowRequest(words: words) == nil)
  }
}

@Suite("The desktop of a session")
struct DesktopTests {
  private func desktop(_ name: String?) -> Desktop? {
    Desktop { variable in variable == "XDG_CURRENT_DESKTOP" ? name : nil }
  }

  @Test("turns the screen itself if it is GNOME, KDE Plasma or Phosh")
  func selfTurning() {
    #expect(desktop("GNOME") == .gnome)
    #expect(desktop("ubuntu:GNOME") == .gnome)
    #expect(desktop("gnome") == .gnome)
    #expect(desktop("KDE") == .plasma)
    #expect(desktop("Phosh:GNOME") == .phosh)
    #expect(desktop("GNOME:Phosh") == .phosh)
    for desktop in Desktop.allCases { #expect(desktop.refusal.exitStatus == 69) }
  }

  @Test(
    "that turns the screen itself is named by manual page and help",
    arguments: ["data/man/orientationctl.1", "Sources/OrientationctlKit/Follow/FollowCommand.swift"])
  func documents(file: String) throws {
    let text = try projectFile(file)
    for desktop in Desktop.allCases { #expect(text.contains(desktop.name), "\(desktop.name)") }
  }

  @Test(
    "is followed for if it is another one",
    arguments: ["sway", "wlroots", "labwc:wlroots", "COSMIC", "", nil])
  func others(name: String?) {
    #expect(desktop(name) == nil)
  }
}

@Suite("Which sessions are those of an X server")
struct XSessionTests {
  @Test("those with a DISPLAY that is not there only for programs which cannot speak Wayland")
  func environments() {
    func isX(_ environment: [String: String]) -> Bool {
      FollowRequest.program { environment[$0] } == "orientationctl-follow-x"
    }
    #expect(isX(["DISPLAY": ":0"]))
    #expect(isX(["DISPLAY": ":0", "WAYLAND_DISPLAY": "", "XDG_SESSION_TYPE": "x11"]))
    #expect(!isX(["DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-1"]))
    #expect(!isX(["DISPLAY": ":0", "WAYLAND_SOCKET": "5"]))
    #expect(!isX(["DISPLAY": ":0", "XDG_SESSION_TYPE": "wayland"]))
    #expect(!isX([:]))
    #expect(!isX(["DISPLAY": ""]))
  }
}
