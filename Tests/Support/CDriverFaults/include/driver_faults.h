// SPDX-License-Identifier: Apache-2.0
// The faults of drivers and disks for the daemon as a process of its own: a library that is loaded before umockdev's, and
// stands in for the libc calls that reach one. It has nothing to call: a file says what to do, and a test may write that
// anew at any time.
//
// The environment variable DRIVER_FAULTS names the file: 4096 bytes, a rule a line, zeros after them. A rule is
//
//     CALL PATH WHAT NUMBER
//
// for CALL (open, read, write, fsync, send) of a file, or of a socket that is connected to one, whose path ends so: `fail` with this errno, `delay` for so many milliseconds
// before, `hold` for as long as the rule stands, looking every so many milliseconds, or `limit` a read to so many bytes. The
// first rule with the call and the path counts.
#pragma once
