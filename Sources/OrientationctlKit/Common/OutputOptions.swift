// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `--json`, for the commands whose output a program may read.
struct OutputOptions: ParsableArguments {
  @Flag(name: .customLong("json"), help: "Print JSON, for programs.")
  var isJSON = false
}
