// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "faults.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/types.h>

enum { descriptors = 1024 };
static int errors[descriptors];

void faults_set(int descriptor, int error) {
  if (descriptor >= 0 && descriptor < descriptors) errors[descriptor] = error;
}

static int fails(int descriptor) {
  if (descriptor < 0 || descriptor >= descriptors || errors[descriptor] == 0) return 0;
  errno = errors[descriptor];
  return 1;
}

static char opened[256];
static int open_error;

void faults_set_open(const char *suffix, int error) {
  strncpy(opened, suffix, sizeof opened - 1);
  open_error = error;
}

int open(const char *path, int flags, ...) {
  static int (*next)(const char *, int, ...);
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

ssize_t read(int descriptor, void *bytes, size_t count) {
  static ssize_t (*next)(int, void *, size_t);
  if (!next) next = (ssize_t(*)(int, void *, size_t))dlsym(RTLD_NEXT, "read");
  return fails(descriptor) ? -1 : next(descriptor, bytes, count);
}

ssize_t pread(int descriptor, void *bytes, size_t count, off_t offset) {
  static ssize_t (*next)(int, void *, size_t, off_t);
  if (!next) next = (ssize_t(*)(int, void *, size_t, off_t))dlsym(RTLD_NEXT, "pread");
  return fails(descriptor) ? -1 : next(descriptor, bytes, count, offset);
}
