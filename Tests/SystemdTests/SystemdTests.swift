// SPDX-License-Identifier: Apache-2.0

import Testing

/// The suites of this target, one test after the other: each has a bus daemon and children of its own, and
/// a machine with few cores does not get faster by more of them.
@Suite(.serialized, .timeLimit(.minutes(2))) struct SystemdTests {}
