// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <spawn.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

// Swift hides fork, as it does no good in programs with threads. The programs that use this have one.
static inline pid_t test_fork(void) __attribute__((swift_name("forkProcess()")));
static inline pid_t test_fork(void) { return fork(); }

// Macros with arguments.
static inline _Bool test_was_killed(int status) __attribute__((swift_name("wasKilled(_:)")));
static inline _Bool test_was_killed(int status) { return WIFSIGNALED(status) && WTERMSIG(status) == 9; }

// glibc shows these only where GNU's extensions are asked for, which Swift does not.
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
int posix_openpt(int flags);
int grantpt(int terminal);
int unlockpt(int terminal);
int ptsname_r(int terminal, char *name, unsigned long size);
