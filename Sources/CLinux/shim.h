// SPDX-License-Identifier: Apache-2.0
// What Linux has and Swift's Glibc module leaves out.
#pragma once
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <time.h>

// Declared by <poll.h> only under _GNU_SOURCE, which the importer does not define.
extern int ppoll(struct pollfd *descriptors, nfds_t count, const struct timespec *timeout,
                 const sigset_t *signal_mask);
