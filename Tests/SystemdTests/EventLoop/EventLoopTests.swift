// SPDX-License-Identifier: Apache-2.0

import Glibc
import Systemd
import Testing

extension SystemdTests {
  @Suite struct EventLoopTests {
    /// Keeps sources where their own handlers can drop them.
    final class Sources {
      var source: EventSource?
      var timer: Timer?
    }

    @Test func `run returns the code that exit was given`() throws {
      let loop = try EventLoop()
      let control = LoopControl(loop)
      control.loop.post { control.loop.exit(7) }
      #expect(try control.loop.run() == 7)
    }

    @Test func `a loop that has ended refuses to turn`() throws {
      let loop = try EventLoop()
      loop.exit(0)
      _ = try loop.run()
      #expect(throws: SystemdError(code: ESTALE, operation: "sd_event_run")) { try loop.runOnce() }
    }

    @Test func `posted work runs once, in its order, and may post more`() throws {
      let control = LoopControl(try EventLoop())
      let log = Log()
      control.loop.post {
        log.entries.append("first")
        control.loop.post {
          log.entries.append("third")
          control.loop.exit(0)
        }
      }
      control.loop.post { log.entries.append("second") }
      _ = try control.loop.run()
      #expect(log.entries == ["first", "second", "third"])
    }

    @Test func `work that posts itself again lets other events be handled`() throws {
      let control = LoopControl(try EventLoop())
      let pipe = try Pipe()
      pipe.write("hello")
      var turns = 0
      let source = try control.loop.onReadable(pipe.reading) { control.loop.exit(1) }
      func again() {
        turns += 1
        if turns < 100 { control.loop.post(again) } else { control.loop.exit(2) }
      }
      control.loop.post(again)
      #expect(try control.loop.run() == 1)
      _ = consume source
    }

    @Test func `work posted after the end is freed, and so is what waited at the end`() throws {
      let control = LoopControl(try EventLoop())
      weak var waiting: Canary?
      weak var late: Canary?
      control.loop.post {
        let bird = Canary()
        waiting = bird
        control.loop.post { bird.sing() }
        control.loop.exit(0)
      }
      _ = try control.loop.run()
      #expect(waiting == nil)
      do {
        let bird = Canary()
        late = bird
        control.loop.post { bird.sing() }
      }
      #expect(late == nil)
    }

    @Test func `work posted to a loop that never turns is freed with it`() throws {
      weak var canary: Canary?
      do {
        let loop = try EventLoop()
        let bird = Canary()
        canary = bird
        loop.post { bird.sing() }
      }
      #expect(canary == nil)
    }

    @Test func `a signal to the process reaches its handler instead of ending it`() throws {
      let control = LoopControl(try EventLoop())
      let source = try control.loop.onSignal(SIGHUP) { control.loop.exit(3) }
      raise(SIGHUP)
      #expect(try control.loop.run() == 3)
      _ = consume source
    }

    @Test func `a second handler for the same signal is refused`() throws {
      let loop = try EventLoop()
      let source = try loop.onSignal(SIGUSR2) {}
      #expect(throws: SystemdError(code: EBUSY, operation: "sd_event_add_signal")) {
        _ = try loop.onSignal(SIGUSR2) {}
      }
      _ = consume source
    }

    @Test func `a readable descriptor is handled until it has been read`() throws {
      let loop = try EventLoop()
      let pipe = try Pipe()
      let log = Log()
      let source = try loop.onReadable(pipe.reading) { log.entries.append(Pipe.read(pipe.reading)) }
      pipe.write("hello")
      #expect(try loop.runOnce(timeoutSeconds: 10) == .handledEvent)
      #expect(try loop.runOnce(timeoutSeconds: 0) == .timedOut)
      #expect(log.entries == ["hello"])
      _ = consume source
    }

    @Test func `a source that is gone handles nothing and has freed its handler`() throws {
      let loop = try EventLoop()
      let pipe = try Pipe()
      pipe.write("hello")
      weak var canary: Canary?
      do {
        let bird = Canary()
        canary = bird
        let source = try loop.onReadable(pipe.reading) { bird.sing() }
        _ = consume source
      }
      #expect(canary == nil)
      #expect(try loop.runOnce(timeoutSeconds: 0) == .timedOut)
    }

    @Test func `a handler may drop its own source`() throws {
      let loop = try EventLoop()
      let pipe = try Pipe()
      pipe.write("hello")
      let sources = Sources()
      let log = Log()
      sources.source = try loop.onReadable(pipe.reading) {
        sources.source = nil
        log.entries.append("handled")
      }
      #expect(try loop.runOnce(timeoutSeconds: 10) == .handledEvent)
      #expect(try loop.runOnce(timeoutSeconds: 0) == .timedOut)
      #expect(log.entries == ["handled"])
    }

    @Test func `the end of a reader is handled at the writing end of a pipe, before anything is written`()
      throws
    {
      let loop = try EventLoop()
      var ends: [CInt] = [-1, -1]
      try #require(pipe(&ends) == 0)
      defer { close(ends[1]) }
      let log = Log()
      let source = try loop.onHangUp(ends[1]) { log.entries.append("gone") }
      #expect(try loop.runOnce(timeoutSeconds: 0) == .timedOut)
      close(ends[0])
      #expect(try loop.runOnce(timeoutSeconds: 10) == .handledEvent)
      #expect(log.entries == ["gone"])
      _ = consume source
    }

    @Test func `what can be read from a socket is no hang-up, and the end of its peer is`() throws {
      let loop = try EventLoop()
      var ends: [CInt] = [-1, -1]
      try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
      defer { close(ends[1]) }
      let log = Log()
      let source = try loop.onHangUp(ends[1]) { log.entries.append("gone") }
      #expect(write(ends[0], "x", 1) == 1)
      #expect(try loop.runOnce(timeoutSeconds: 0) == .timedOut)
      close(ends[0])
      #expect(try loop.runOnce(timeoutSeconds: 10) == .handledEvent)
      #expect(log.entries == ["gone"])
      _ = consume source
    }

    @Test func `a regular file cannot be waited for`() throws {
      let loop = try EventLoop()
      let descriptor = open("/proc/self/exe", O_RDONLY)
      defer { close(descriptor) }
      #expect(throws: SystemdError(code: EPERM, operation: "sd_event_add_io")) {
        _ = try loop.onReadable(descriptor) {}
      }
    }

    @Test(arguments: [Timer.Clock.monotonic, .bootTime])
    func `a timer fires once each time it is armed`(clock: Timer.Clock) throws {
      let loop = try EventLoop()
      let log = Log()
      let timer = try loop.after(seconds: 0, clock: clock, accuracySeconds: 0.001) {
        log.entries.append("fired")
      }
      #expect(timer.isArmed == true)
      #expect(try loop.runOnce(timeoutSeconds: 10) == .handledEvent)
      #expect(timer.isArmed == false)
      #expect(try loop.runOnce(timeoutSeconds: 0) == .timedOut)
      timer.arm(afterSeconds: 0)
      #expect(try loop.runOnce(timeoutSeconds: 10) == .handledEvent)
      #expect(log.entries == ["fired", "fired"])
    }

    @Test func `a timer is not armed by its making, and cancelled does not fire`() throws {
      let loop = try EventLoop()
      let log = Log()
      let timer = try loop.timer { log.entries.append("fired") }
      #expect(timer.isArmed == false)
      timer.arm(afterSeconds: 0)
      timer.cancel()
      #expect(try loop.runOnce(timeoutSeconds: 0) == .timedOut)
      #expect(log.entries == [])
    }

    @Test func `a timer armed in its own handler fires again, and may drop itself`() throws {
      let loop = try EventLoop()
      let sources = Sources()
      let log = Log()
      sources.timer = try loop.after(seconds: 0, accuracySeconds: 0.001) {
        log.entries.append("fired")
        if log.entries.count < 3 {
          sources.timer?.arm(afterSeconds: 0)
        } else {
          sources.timer = nil
        }
      }
      while log.entries.count < 3 {
        try #require(try loop.runOnce(timeoutSeconds: 10) == .handledEvent)
      }
      #expect(try loop.runOnce(timeoutSeconds: 0) == .timedOut)
    }

    @Test(arguments: [-1.0, 0, .nan]) func `a time span that is none fires at once`(seconds: Double) throws {
      let loop = try EventLoop()
      let timer = try loop.after(seconds: seconds, accuracySeconds: 0.001) {}
      #expect(try loop.runOnce(timeoutSeconds: 10) == .handledEvent)
      _ = consume timer
    }

    @Test(arguments: [1e30, .infinity]) func `a time span without end never fires`(seconds: Double) throws {
      let loop = try EventLoop()
      let timer = try loop.after(seconds: seconds) {}
      #expect(try loop.runOnce(timeoutSeconds: 0) == .timedOut)
      _ = consume timer
    }
  }
}

/// A loop where handlers can reach it.
final class LoopControl {
  let loop: EventLoop

  init(_ loop: EventLoop) { self.loop = loop }
}
