// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "mock_card.h"
#include "mock_input.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/input.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

enum { word_bits = 8 * sizeof(long), words = KEY_CNT / word_bits };

struct device {
  dev_t file_system;
  ino_t inode;
  unsigned long positions;
  struct input_absinfo axes[3];
  int error;
  unsigned long masks[EV_CNT][words];
  struct card card;
  struct device *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
// The newest first: the inode of a device that was deleted may be another's by now.
static struct device *devices;

static struct device *find(const struct stat *status) {
  struct device *device = devices;
  while (device && (device->file_system != status->st_dev || device->inode != status->st_ino)) device = device->next;
  return device;
}

static struct device *find_path(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 ? find(&status) : NULL;
}

int mock_input_create(const char *path) {
  struct stat status;
  if (mkfifo(path, 0600) != 0) return -1;
  // For reading too, so that there need not be a reader yet.
  int descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0 || fstat(descriptor, &status) != 0) return -1;
  struct device *device = calloc(1, sizeof *device);
  device->file_system = status.st_dev;
  device->inode = status.st_ino;
  memset(device->masks, 0xff, sizeof device->masks);
  pthread_mutex_lock(&lock);
  device->next = devices;
  devices = device;
  pthread_mutex_unlock(&lock);
  return descriptor;
}

void mock_input_set_switches(const char *path, unsigned long positions) {
  pthread_mutex_lock(&lock);
  struct device *device = find_path(path);
  if (device) device->positions = positions;
  pthread_mutex_unlock(&lock);
}

void mock_input_set_axis(const char *path, unsigned axis, const struct input_absinfo *info) {
  pthread_mutex_lock(&lock);
  struct device *device = find_path(path);
  if (device) device->axes[axis] = *info;
  pthread_mutex_unlock(&lock);
}

void mock_input_fail(const char *path, int error) {
  pthread_mutex_lock(&lock);
  struct device *device = find_path(path);
  if (device) device->error = error;
  pthread_mutex_unlock(&lock);
}

void mock_card_add(const char *path, unsigned connector, unsigned kind, unsigned number, long long orientation) {
  pthread_mutex_lock(&lock);
  struct device *device = find_path(path);
  if (device && device->card.count < card_connectors)
    device->card.connectors[device->card.count++] =
        (struct connector){.id = connector, .kind = kind, .number = number, .orientation = orientation};
  pthread_mutex_unlock(&lock);
}

unsigned long mock_input_mask(const char *path, unsigned type, unsigned code) {
  pthread_mutex_lock(&lock);
  struct device *device = find_path(path);
  unsigned long mask = device ? device->masks[type][code / word_bits] : 0;
  pthread_mutex_unlock(&lock);
  return mask;
}

// As the kernel does it: the bytes of the smaller of both masks, and the rest of the device's cleared.
static int set_mask(struct device *device, const struct input_mask *mask) {
  size_t size = mask->codes_size;
  if (mask->type >= EV_CNT || size % sizeof(long) != 0) {
    errno = EINVAL;
    return -1;
  }
  if (size > sizeof device->masks[0]) size = sizeof device->masks[0];
  memset(device->masks[mask->type], 0, sizeof device->masks[0]);
  memcpy(device->masks[mask->type], (const void *)(unsigned long)mask->codes_ptr, size);
  return 0;
}

static int answer(struct device *device, unsigned long request, void *argument) {
  if (device->error != 0) {
    errno = device->error;
    return -1;
  }
  if (device->card.count > 0) return card_answer(&device->card, request, argument);
  if (request == EVIOCSMASK) return set_mask(device, argument);
  if (request == EVIOCGSW(sizeof(unsigned long))) {
    memcpy(argument, &device->positions, sizeof device->positions);
    return sizeof device->positions;
  }
  for (unsigned axis = 0; axis < 3; axis++)
    if (request == EVIOCGABS(axis)) {
      memcpy(argument, &device->axes[axis], sizeof device->axes[axis]);
      return 0;
    }
  errno = ENOTTY;
  return -1;
}

int ioctl(int descriptor, unsigned long request, ...) {
  static int (*next)(int, unsigned long, ...);
  if (!next) next = (int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
  va_list arguments;
  va_start(arguments, request);
  void *argument = va_arg(arguments, void *);
  va_end(arguments);
  struct stat status;
  if (fstat(descriptor, &status) != 0 || !S_ISFIFO(status.st_mode)) return next(descriptor, request, argument);
  pthread_mutex_lock(&lock);
  struct device *device = find(&status);
  int result = device ? answer(device, request, argument) : 0;
  int code = errno;
  pthread_mutex_unlock(&lock);
  errno = code;
  return device ? result : next(descriptor, request, argument);
}
