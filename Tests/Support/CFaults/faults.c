// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "faults.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

// Tests run at once in one process, so that numbers get high.
enum { descriptors = 1 << 20 };
static int errors[descriptors];

void faults_set(int descriptor, int error) {
  if (descriptor >= 0 && descriptor < descriptors) errors[descriptor] = error;
}

static _Thread_local int passing_descriptor = -1, failures_left;

void faults_set_passing(int descriptor, int error, int times) {
  faults_set(descriptor, error);
  passing_descriptor = descriptor;
  failures_left = times;
}

static int fails(int descriptor) {
  if (descriptor < 0 || descriptor >= descriptors || errors[descriptor] == 0) return 0;
  errno = errors[descriptor];
  if (descriptor == passing_descriptor && --failures_left == 0) errors[descriptor] = 0;
  return 1;
}

static char opened[256];
static int open_error;

void faults_set_open(const char *suffix, int error) {
  strncpy(opened, suffix, sizeof opened - 1);
  open_error = error;
}

int open(const char *path, int flags, ...) {
  static int (*_Atomic next)(const char *, int, ...);
  if (!next) next = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
  size_t length = strlen(path), end = strlen(opened);
  if (open_error && length >= end && strcmp(path + length - end, opened) == 0) {
    errno = open_error;
    return -1;
  }
  va_list arguments;
  va_start(arguments, flags);
  unsigned mode = va_arg(arguments, unsigned);
  va_end(arguments);
  return next(path, flags, mode);
}

static _Thread_local enum faults_call failing_call;
static _Thread_local int calls_before, call_error;

void faults_fail_call(enum faults_call call, int skipped, int error) {
  failing_call = call;
  calls_before = skipped;
  call_error = error;
}

static int call_fails(enum faults_call call) {
  if (failing_call != call || calls_before-- > 0) return 0;
  failing_call = 0;
  errno = call_error;
  return 1;
}

int openat(int folder, const char *path, int flags, ...) {
  static int (*_Atomic next)(int, const char *, int, ...);
  if (!next) next = (int (*)(int, const char *, int, ...))dlsym(RTLD_NEXT, "openat");
  va_list arguments;
  va_start(arguments, flags);
  unsigned mode = va_arg(arguments, unsigned);
  va_end(arguments);
  return call_fails(FAULTS_OPENAT) ? -1 : next(folder, path, flags, mode);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
  static ssize_t (*_Atomic next)(int, const void *, size_t);
  if (!next) next = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
  return call_fails(FAULTS_WRITE) ? -1 : next(descriptor, bytes, count);
}

static char slow_folder[256];
static _Atomic int slow_flushes, is_held;

void faults_hold_flushes(const char *folder) {
  is_held = 1;
  slow_flushes = 0;
  strncpy(slow_folder, folder, sizeof slow_folder - 1);
}

void faults_release_flushes(void) { is_held = 0; }

int faults_flushes(void) { return slow_flushes; }

static int is_in_slow_folder(int descriptor) {
  char link[32], path[sizeof slow_folder + 32] = {0};
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  if (!slow_folder[0] || readlink(link, path, sizeof path - 1) < 0) return 0;
  return strncmp(path, slow_folder, strlen(slow_folder)) == 0;
}

int fsync(int descriptor) {
  static int (*_Atomic next)(int);
  if (is_in_slow_folder(descriptor)) {
    slow_flushes++;
    while (is_held) usleep(2000);
  }
  if (!next) next = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  return call_fails(FAULTS_FSYNC) ? -1 : next(descriptor);
}

int renameat(int folder, const char *path, int new_folder, const char *new_path) {
  static int (*_Atomic next)(int, const char *, int, const char *);
  if (!next) next = (int (*)(int, const char *, int, const char *))dlsym(RTLD_NEXT, "renameat");
  return call_fails(FAULTS_RENAMEAT) ? -1 : next(folder, path, new_folder, new_path);
}

int unlinkat(int folder, const char *path, int flags) {
  static int (*_Atomic next)(int, const char *, int);
  if (!next) next = (int (*)(int, const char *, int))dlsym(RTLD_NEXT, "unlinkat");
  return call_fails(FAULTS_UNLINKAT) ? -1 : next(folder, path, flags);
}

ssize_t read(int descriptor, void *bytes, size_t count) {
  static ssize_t (*_Atomic next)(int, void *, size_t);
  if (!next) next = (ssize_t(*)(int, void *, size_t))dlsym(RTLD_NEXT, "read");
  return fails(descriptor) || call_fails(FAULTS_READ) ? -1 : next(descriptor, bytes, count);
}

static _Atomic int hanging = -1;

void faults_set_hang(int descriptor) { hanging = descriptor; }

ssize_t pread(int descriptor, void *bytes, size_t count, off_t offset) {
  static ssize_t (*_Atomic next)(int, void *, size_t, off_t);
  while (descriptor == hanging) usleep(10000);
  if (!next) next = (ssize_t(*)(int, void *, size_t, off_t))dlsym(RTLD_NEXT, "pread");
  return fails(descriptor) ? -1 : next(descriptor, bytes, count, offset);
}
