// SPDX-License-Identifier: Apache-2.0

// This folder: when the panel is turned. Both ends are outside: who wants a transform, and the desktop, which answers each request
// and reports its outputs after each change, also after those of other programs.

package import Orientation
import Systemd

/// Decides what to ask of the desktop.
package struct PanelTurner {
  /// What is to be done now.
  package enum Step: Equatable, Sendable {
    /// Nothing: what follows comes from outside.
    case wait
    /// The desktop is to be asked for this.
    case apply(Arrangement)
    /// Unless something comes from outside, ``PanelTurner/resume(at:)`` is to be called after this time; a person should know the note.
    case resume(afterSeconds: Double, note: String? = nil)
    /// A person should know this.
    case note(String)
    /// The panel cannot be turned by this program.
    case stop(CommandError)
  }

  /// How the desktop has answered a request.
  package enum Answer: Equatable, Sendable {
    /// It has been carried out; the outputs are reported after this or before.
    case succeeded
    /// The desktop does not do this.
    case failed
    /// The outputs had changed before the request.
    case outdated
  }

  private enum Phase: Equatable {
    /// No request is open.
    case idle
    /// One is open, for this transform; whether outputs were reported since.
    case asked(OutputTransform, isReported: Bool)
    /// One was answered, and what the outputs are now has not been reported yet.
    case answered
  }

  /// How long to wait, in seconds, for the daemon to want what something else has done: another program that follows the same
  /// daemon can be faster.
  static let patience = 0.2

  /// How long a desktop may take to answer a request, and to report what has changed by it, in seconds.
  static let patienceWithDesktop = 5.0

  /// What the panel was last reported to have while that was wanted; nil before.
  package private(set) var shown: OutputTransform?

  /// Whether the panel has what is wanted, and nothing is waited for but what comes from outside.
  package var isAtRest: Bool { phase == .idle && undone == nil && given == wanted }

  private let name: String?
  private var wanted: OutputTransform?
  private var outputs: [Output]?
  private var phase = Phase.idle
  /// What the panel has been given, or had already.
  private var given: OutputTransform?
  /// What was reported last while it had that; nil before that.
  private var settled: [Output]?
  /// What has failed, and with which outputs.
  private var failed: (transform: OutputTransform, outputs: [Output])?
  /// One, or the two of a laptop that has two.
  private var panels: [String] = []
  /// Since when the panel does not have any more what it was given.
  private var undone: Double?
  private var rivalry = Rivalry()
  private var repetition = RequestRepetition()
  private var lastNote: String?
  /// Whether a message says that the panel is waited for.
  private var isAwaited = false

  /// Creates one that wants nothing yet.
  ///
  /// - Parameter name: the output to turn; nil is what is built in.
  package init(output name: String?) { self.name = name }

  /// Wants another transform.
  ///
  /// - Parameters:
  ///   - transform: what the panel is to have from now on.
  ///   - seconds: the present time.
  /// - Returns: what to do.
  package mutating func want(_ transform: OutputTransform, at seconds: Double) -> Step {
    guard transform != wanted else {
      guard failed != nil else { return .wait }
      // While another session is on the screen, the desktop of this one refuses. The daemon tells when this one is back.
      failed = nil
      return decide(at: seconds)
    }
    wanted = transform
    (given, settled, undone) = (nil, nil, nil)
    failed = nil
    repetition = RequestRepetition()
    if phase == .answered { goOn() }
    return decide(at: seconds)
  }

  /// Takes what the desktop reports.
  ///
  /// - Parameters:
  ///   - outputs: all outputs.
  ///   - seconds: the present time.
  /// - Returns: what to do.
  package mutating func report(_ outputs: [Output], at seconds: Double) -> Step {
    self.outputs = outputs
    switch phase {
    case .idle: break
    case .asked(let transform, _): phase = .asked(transform, isReported: true)
    case .answered: phase = .idle
    }
    return decide(at: seconds)
  }

  /// Takes the answer to the open request.
  ///
  /// - Parameters:
  ///   - answer: the answer.
  ///   - seconds: the present time.
  /// - Returns: what to do.
  package mutating func take(_ answer: Answer, at seconds: Double) -> Step {
    guard case .asked(let transform, let isReported) = phase else { return .wait }
    switch answer {
    case .outdated: phase = isReported ? .idle : .answered
    case .succeeded where transform == wanted:
      given = transform
      // What was reported before may be older than this: what comes next counts.
      phase = isReported && lit.allSatisfy { $0.has(transform) } ? .idle : .answered
    // In between, something else was wanted.
    case .succeeded: goOn()
    case .failed:
      phase = .idle
      if transform == wanted, let outputs {
        failed = (transform, outputs)
        return note(
          "turning \(lit.names) to \(transform.rawValue) was refused; trying again when the device is turned or "
            + "the outputs change")
      }
    }
    return decide(at: seconds)
  }

  /// Goes on after the time that ``Step/resume(afterSeconds:)`` has named.
  ///
  /// - Parameter seconds: the present time.
  /// - Returns: what to do.
  package mutating func resume(at seconds: Double) -> Step {
    switch phase {
    case .idle where outputs != nil: break
    case .idle, .asked: return note("the desktop does not answer; waiting for it")
    case .answered: phase = .idle
    }
    return decide(at: seconds)
  }

  /// Goes on to what is wanted now, after an answer.
  ///
  /// The last report may be older than the answer: if it shows what is wanted already, it is not believed, and the next one counts.
  private mutating func goOn() {
    phase = !lit.isEmpty && lit.allSatisfy { $0.has(wanted) } ? .answered : .idle
  }

  private mutating func decide(at seconds: Double) -> Step {
    guard phase == .idle, let outputs else { return .wait }
    switch Panel(among: outputs, named: name) {
    case .found(let names): panels = names
    case .missing where panels.isEmpty: return noteMissing(name)
    case .ambiguous where panels.isEmpty: return .stop(.ambiguousPanel(outputs))
    case .missing, .ambiguous: break
    }
    guard let first = outputs.first(where: { panels.contains($0.name) }) else {
      return noteMissing(panels[0])
    }
    guard let wanted else { return .wait }
    guard !outputs.hasEqualNames else {
      return note("the desktop gives two outputs the same name: nothing is turned")
    }
    let lit = lit
    guard !lit.isEmpty else {
      given = nil
      if first.isDoubtful { return noteDoubtful(first) }
      isAwaited = true
      return note("\(first.name.printable) is off; waiting for it")
    }
    if lit.allSatisfy({ $0.has(wanted) }) {
      (given, settled, undone) = (wanted, outputs, nil)
      shown = wanted
      repetition = RequestRepetition()
      lastNote = nil
      guard isAwaited else { return .wait }
      isAwaited = false
      return .note("\(lit.names) is turned to \(wanted.rawValue) now")
    }
    if given == wanted {
      let since = undone ?? seconds
      undone = since
      guard seconds - since >= Self.patience else {
        return .resume(afterSeconds: since + Self.patience - seconds)
      }
      (given, undone) = (nil, nil)
      // What the panel was never seen to have, something else has not undone.
      if settled != nil, rivalry.undone(at: seconds) { return .stop(.rival(of: lit.names)) }
    }
    if let failed, failed.transform == wanted, failed.outputs == outputs { return .wait }
    if let doubtful = outputs.first(where: { $0.isDoubtful }) { return noteDoubtful(doubtful) }
    if let wait = repetition.wait(at: seconds) {
      return .resume(
        afterSeconds: wait,
        note: repetition.isLong ? newNote("\(lit.names) cannot be turned now; trying again") : nil
      )
    }
    repetition.asked(at: seconds)
    phase = .asked(wanted, isReported: false)
    return .apply(Arrangement(turning: lit.map { $0.name }, to: wanted, among: outputs, before: settled))
  }

  /// The panels that show something, the upper one first.
  private var lit: [Output] {
    panels.compactMap { name in outputs?.first { $0.name == name && $0.isEnabled } }
  }

  private mutating func noteMissing(_ name: String?) -> Step {
    given = nil
    isAwaited = true
    guard let name else { return note("there are no outputs; waiting for one") }
    return note("there is no output \(name.printable); waiting for it (outputs: \((outputs ?? []).list))")
  }

  /// A request has to say of each output whether it is to be on.
  private mutating func noteDoubtful(_ output: Output) -> Step {
    note(
      "the screen is not turned: the compositor reports \(output.name.printable) as off and without a size, so it could be "
        + "switched off by that; sway up to 1.8 does so with virtual outputs")
  }

  /// Does not repeat itself.
  private mutating func note(_ text: String) -> Step {
    newNote(text).map { .note($0) } ?? .wait
  }

  private mutating func newNote(_ text: String) -> String? {
    guard text != lastNote else { return nil }
    lastNote = text
    return text
  }
}

extension Output {
  fileprivate func has(_ transform: OutputTransform?) -> Bool { self.transform == transform && !isMirrored }
}

extension [Output] {
  /// "eDP-1 and eDP-2".
  fileprivate var names: String { map { $0.name.printable }.joined(separator: " and ") }
}

extension CommandError {
  fileprivate static func ambiguousPanel(_ outputs: [Output]) -> CommandError {
    CommandError.unavailable(
      "it is not clear which output is the tablet's own screen; name it:\n\n    orientationctl follow --output NAME\n\n"
        + "outputs: \(outputs.list)")
  }

  fileprivate static func rival(of output: String) -> CommandError {
    CommandError.unavailable(
      "something else turns \(output), too: it has undone the transform \(Rivalry.limit) times in "
        + "\(Int(Rivalry.span)) s; only one program may turn the screen")
  }
}
