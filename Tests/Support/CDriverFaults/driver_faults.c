// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "driver_faults.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { rules_size = 4096, descriptors = 512, path_size = 96 };

static const char *rules;
// The paths of open files, their ends at least: a device node of umockdev's is a terminal or a socket in truth.
static char paths[descriptors][path_size];

#define NEXT(function) \
  static __typeof__(function) *next; \
  if (!next) next = (__typeof__(function) *)dlsym(RTLD_NEXT, #function)

__attribute__((constructor)) static void map_rules(void) {
  NEXT(open);
  const char *name = getenv("DRIVER_FAULTS");
  int file = name ? next(name, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) return;
  void *memory = mmap(NULL, rules_size, PROT_READ, MAP_SHARED, file, 0);
  close(file);
  if (memory != MAP_FAILED) rules = memory;
}

static void pause_for(long milliseconds) {
  nanosleep(&(struct timespec){milliseconds / 1000, milliseconds % 1000 * 1000000}, NULL);
}

enum { held = -1 };

// What the rules say of a call at the moment: an errno for a failure, `held` after a pause, else 0; and to how many bytes to
// limit a read or a send.
static int present_fault(const char *call, const char *path, size_t *limit) {
  if (!rules || !rules[0] || !path[0]) return 0;
  char text[rules_size + 1] = {0};
  memcpy(text, rules, rules_size);
  char *rest = text;
  for (char *line; (line = strsep(&rest, "\n"));) {
    char wanted[16], suffix[path_size], what[16];
    long number;
    if (sscanf(line, "%15s %95s %15s %ld", wanted, suffix, what, &number) != 4) continue;
    size_t length = strlen(path), end = strlen(suffix);
    if (strcmp(wanted, call) != 0 || length < end || strcmp(path + length - end, suffix) != 0) continue;
    if (strcmp(what, "fail") == 0) return (int)number;
    if (strcmp(what, "hold") == 0) {
      pause_for(number);
      return held;
    }
    if (strcmp(what, "delay") == 0)
      pause_for(number);
    else if (limit)
      *limit = (size_t)number;
    return 0;
  }
  return 0;
}

static int fault(const char *call, const char *path, size_t *limit) {
  int code;
  do code = present_fault(call, path, limit);
  while (code == held);
  return code;
}

static const char *path_of(int descriptor) {
  return descriptor >= 0 && descriptor < descriptors ? paths[descriptor] : "";
}

static void remember(int descriptor, const char *path) {
  if (descriptor < 0 || descriptor >= descriptors) return;
  size_t length = strlen(path);
  strcpy(paths[descriptor], length < path_size ? path : path + length - path_size + 1);
}

#define FAIL_IF_TOLD(call, path, limit, result) \
  do { \
    int code = fault(call, path, limit); \
    if (code) { \
      errno = code; \
      return result; \
    } \
  } while (0)

// As above for a stream: libiio asks ferror. There is no function that sets what that says; this is glibc's own bit.
static int stream_fails(const char *call, FILE *file) {
  enum { glibc_error_seen = 0x20 };
  int code = fault(call, path_of(fileno(file)), NULL);
  if (!code) return 0;
  file->_flags |= glibc_error_seen;
  errno = code;
  return 1;
}

int open(const char *path, int flags, ...) {
  NEXT(open);
  FAIL_IF_TOLD("open", path, NULL, -1);
  va_list arguments;
  va_start(arguments, flags);
  unsigned mode = va_arg(arguments, unsigned);
  va_end(arguments);
  int descriptor = next(path, flags, mode);
  remember(descriptor, path);
  return descriptor;
}

int openat(int folder, const char *path, int flags, ...) {
  NEXT(openat);
  FAIL_IF_TOLD("open", path, NULL, -1);
  va_list arguments;
  va_start(arguments, flags);
  unsigned mode = va_arg(arguments, unsigned);
  va_end(arguments);
  int descriptor = next(folder, path, flags, mode);
  remember(descriptor, path);
  return descriptor;
}

FILE *fopen(const char *path, const char *mode) {
  NEXT(fopen);
  FAIL_IF_TOLD("open", path, NULL, NULL);
  FILE *file = next(path, mode);
  if (file) remember(fileno(file), path);
  return file;
}

int close(int descriptor) {
  NEXT(close);
  remember(descriptor, "");
  return next(descriptor);
}

int fclose(FILE *file) {
  NEXT(fclose);
  remember(fileno(file), "");
  return next(file);
}

ssize_t read(int descriptor, void *bytes, size_t count) {
  NEXT(read);
  size_t limit = count;
  FAIL_IF_TOLD("read", path_of(descriptor), &limit, -1);
  return next(descriptor, bytes, limit < count ? limit : count);
}

ssize_t pread(int descriptor, void *bytes, size_t count, off_t offset) {
  NEXT(pread);
  size_t limit = count;
  FAIL_IF_TOLD("read", path_of(descriptor), &limit, -1);
  return next(descriptor, bytes, limit < count ? limit : count, offset);
}

int fsync(int descriptor) {
  NEXT(fsync);
  FAIL_IF_TOLD("fsync", path_of(descriptor), NULL, -1);
  return next(descriptor);
}

// A socket has the path that it is connected to.
int connect(int descriptor, const struct sockaddr *address, socklen_t size) {
  NEXT(connect);
  const struct sockaddr_un *local = (const struct sockaddr_un *)address;
  if (address->sa_family == AF_UNIX && local->sun_path[0]) {
    char path[sizeof local->sun_path + 1] = {0};
    memcpy(path, local->sun_path, size - offsetof(struct sockaddr_un, sun_path));
    remember(descriptor, path);
  }
  return next(descriptor, address, size);
}

// One that was accepted has this name.
int accept4(int descriptor, struct sockaddr *address, socklen_t *size, int flags) {
  NEXT(accept4);
  int connection = next(descriptor, address, size, flags);
  remember(connection, "accepted");
  return connection;
}

ssize_t send(int descriptor, const void *bytes, size_t count, int flags) {
  NEXT(send);
  size_t limit = count;
  FAIL_IF_TOLD("send", path_of(descriptor), &limit, -1);
  return next(descriptor, bytes, limit < count ? limit : count, flags);
}

size_t fread(void *bytes, size_t size, size_t count, FILE *file) {
  NEXT(fread);
  return stream_fails("read", file) ? 0 : next(bytes, size, count, file);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
  NEXT(write);
  FAIL_IF_TOLD("write", path_of(descriptor), NULL, -1);
  return next(descriptor, bytes, count);
}

size_t fwrite(const void *bytes, size_t size, size_t count, FILE *file) {
  NEXT(fwrite);
  return stream_fails("write", file) ? 0 : next(bytes, size, count, file);
}
