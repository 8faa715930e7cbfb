// SPDX-License-Identifier: Apache-2.0

// Hands the target over to libFuzzer, which has the command line; the environment says which target it is.

import FuzzTargets
import Glibc

/// libFuzzer's main function (compiler-rt/lib/fuzzer/FuzzerInterface.h): SwiftPM has a main of its own called.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ feed: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

private let target: FuzzTarget = {
  let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
  guard let target = FuzzTarget(rawValue: name) else {
    fatalError("FUZZ_TARGET is one of \(FuzzTarget.allCases.map(\.rawValue).joined(separator: ", "))")
  }
  return target
}()

@main
enum Fuzz {
  static func main() {
    var count = CommandLine.argc
    var arguments = CommandLine.unsafeArgv
    exit(
      runDriver(&count, &arguments) { bytes, count in
        // A violation ends the process, which libFuzzer takes for a finding.
        if let violation = target.violation(Array(UnsafeBufferPointer(start: bytes, count: count))) {
          fatalError("\(target.rawValue): \(violation)")
        }
        return 0
      })
  }
}
