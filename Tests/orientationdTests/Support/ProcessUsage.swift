// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// What a process has of the machine, as the kernel counts it.
struct ProcessUsage {
  /// The memory that is its own, in kB.
  let memory: Int
  /// The most memory it ever had, with what it shares, in kB.
  let peak: Int
  /// The number of its descriptors.
  let descriptors: Int
  /// How long its threads have run, in seconds.
  let processorSeconds: Double
  /// How long its threads but the first were ready to run and had no processor, in seconds.
  let threadsReadyInVain: Double

  init(of process: Int32) throws {
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    func value(_ name: String) throws -> Int {
      let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") }
      guard let word = line?.split(whereSeparator: \.isWhitespace).dropFirst().first, let value = Int(word)
      else { throw GaveUp(description: "no \(name) of process \(process)") }
      return value
    }
    memory = try value("RssAnon")
    peak = try value("VmHWM")
    descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count
    let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")
    // Nanoseconds on a processor, and nanoseconds without one.
    let times = try threads.map { thread in
      let path = "/proc/\(process)/task/\(thread)/schedstat"
      let words = try String(contentsOfFile: path, encoding: .utf8).split(separator: " ").compactMap {
        Double($0)
      }
      guard words.count > 1 else { throw GaveUp(description: "nothing in \(path)") }
      return (thread: thread, running: words[0] / 1e9, waiting: words[1] / 1e9)
    }
    processorSeconds = times.reduce(0) { $0 + $1.running }
    threadsReadyInVain = times.reduce(0) { $0 + ($1.thread == "\(process)" ? 0 : $1.waiting) }
  }
}
