// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "faults.h"
#include <dlfcn.h>
#include <errno.h>
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
