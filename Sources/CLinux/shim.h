// SPDX-License-Identifier: Apache-2.0
// Linux and its C library as all of Sources see it: Embedded Swift, which the daemon is shipped in, has no module Glibc.
#pragma once
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <linux/input.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <malloc.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// What a function is called in Swift.
#define SWIFT_NAME(name) __attribute__((swift_name(name)))

// Declared by <poll.h> only under _GNU_SOURCE, which the importer does not define.
extern int ppoll(struct pollfd *descriptors, nfds_t count, const struct timespec *timeout,
                 const sigset_t *signal_mask);

// As above, in <string.h>.
extern int strverscmp(const char *one, const char *other);

// As above, in <link.h>; this is the part of the structure that every version has.
#ifndef __USE_GNU
struct dl_phdr_info {
  ElfW(Addr) dlpi_addr;
  const char *dlpi_name;
  const ElfW(Phdr) *dlpi_phdr;
  ElfW(Half) dlpi_phnum;
};
#endif
extern int dl_iterate_phdr(int (*visit)(struct dl_phdr_info *object, size_t size, void *userdata),
                           void *userdata);

typedef ElfW(Phdr) elf_segment;
typedef ElfW(Dyn) elf_dynamic;

// A macro in C, and so not imported.
static inline SWIFT_NAME("getter:errno()") int linux_errno(void) { return errno; }

// Variadic in C, and so not imported.
static inline SWIFT_NAME("readTerminalSize(_:_:)") int linux_terminal_size(int descriptor, struct winsize *size) { return ioctl(descriptor, TIOCGWINSZ, size); }
static inline SWIFT_NAME("open(_:_:)") int linux_open(const char *path, int flags) { return open(path, flags); }
static inline SWIFT_NAME("openFile(in:_:_:mode:)") int linux_openat(int folder, const char *name, int flags, mode_t mode) {
  return openat(folder, name, flags, mode);
}

// Reads the start of a file, as far as one read gives it, without an end of the text; returns its length, or a negative errno.
static inline SWIFT_NAME("readFile(_:into:_:)") ssize_t linux_read_file(const char *path, void *bytes, size_t size) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t count = file < 0 ? -1 : read(file, bytes, size);
  int error = errno;
  if (file >= 0) close(file);
  return count < 0 ? -error : count;
}

// Writes all bytes, also if signals come in between; false with errno if that fails.
static inline SWIFT_NAME("writeAll(_:_:_:)") _Bool linux_write_all(int descriptor, const void *bytes, size_t size) {
  for (const char *rest = (const char *)bytes; size > 0;) {
    ssize_t count = write(descriptor, rest, size);
    if (count < 0 && errno != EINTR) return 0;
    if (count < 0) continue;
    rest += count;
    size -= (size_t)count;
  }
  return 1;
}

static inline SWIFT_NAME("duplicateDescriptor(_:)") int linux_duplicate(int descriptor) { return fcntl(descriptor, F_DUPFD_CLOEXEC, 3); }

// How much later than asked for the kernel may end this thread's waits, so that it wakes up for several at once.
static inline SWIFT_NAME("setTimerSlack(nanoseconds:)") void linux_set_timer_slack(unsigned long nanoseconds) { prctl(PR_SET_TIMERSLACK, nanoseconds); }

// What ps -T and top -H call this thread, up to 15 characters.
static inline SWIFT_NAME("nameThread(_:)") void linux_name_thread(const char *name) { prctl(PR_SET_NAME, name); }

// Macros with arguments.
static inline SWIFT_NAME("isRegularFile(_:)") _Bool linux_is_regular(mode_t mode) { return S_ISREG(mode); }

static inline SWIFT_NAME("isPipe(_:)") _Bool linux_is_pipe(mode_t mode) { return S_ISFIFO(mode); }

// A structure has the same name.
static inline SWIFT_NAME("lockFile(_:_:)") int linux_flock(int descriptor, int operation) { return flock(descriptor, operation); }

// Macros with arguments in C, and so not imported. Bit masks are arrays of long here, as the kernel has them.

// Reads the positions of an input device's first switches, a bit each, and drops what the device has queued of switches.
static inline int linux_input_get_switches(int descriptor, unsigned long *positions) {
  return ioctl(descriptor, EVIOCGSW(sizeof *positions), positions);
}

// Reads the present value, the range and the resolution of an axis of an input device.
static inline int linux_input_get_axis(int descriptor, unsigned axis, struct input_absinfo *info) {
  return ioctl(descriptor, EVIOCGABS(axis), info);
}

// Has the kernel queue only these codes of one type of event for this descriptor; for type 0, only these types.
static inline int linux_input_set_mask(int descriptor, unsigned type, const unsigned long *codes, unsigned size) {
  struct input_mask mask = {.type = type, .codes_size = size, .codes_ptr = (unsigned long)codes};
  return ioctl(descriptor, EVIOCSMASK, &mask);
}

// The disposition is a macro with a cast.
static inline SWIFT_NAME("ignoreBrokenPipes()") void linux_ignore_broken_pipes(void) { signal(SIGPIPE, SIG_IGN); }

// Whether the parent of this process has ignored the signal, as nohup(1) does and shells do for what runs in the background.
static inline SWIFT_NAME("isIgnored(signal:)") int linux_is_signal_ignored(int number) {
  struct sigaction action;
  return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

// If the parent of this process ignored the signal, the kernel would not keep how its children have ended.
static inline SWIFT_NAME("keepEndsOfChildren()") void linux_keep_ends_of_children(void) { signal(SIGCHLD, SIG_DFL); }

// Declared only under _GNU_SOURCE, as ppoll above.
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
extern char **environ;

// Can be read when the process has ended, which does not need a signal; closed when the program is executed.
static inline SWIFT_NAME("processDescriptor(_:)") int linux_process_descriptor(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

// What a program finds in its environment: a global variable, which Swift does not let be read without a promise.
static inline SWIFT_NAME("getter:environmentVariables()") char **linux_environment(void) { return environ; }

// snprintf is variadic. Writes a number as Swift does: the fewest digits from which strtod reads it again. Returns the length.
static inline SWIFT_NAME("writeNumber(to:size:_:)") int linux_number_text(char *text, size_t size, double number) {
  if (isnan(number)) return snprintf(text, size, "nan");
  int digits = 0;
  int length = snprintf(text, size, "%.*e", digits, number);
  while (strtod(text, NULL) != number) length = snprintf(text, size, "%.*e", ++digits, number);
  const char *exponent = strchr(text, 'e');
  if (!exponent) return length; // inf
  int power = atoi(exponent + 1);
  if (power < -4 || fabs(number) > 0x1p53) return length;
  return snprintf(text, size, "%.*f", digits - power > 1 ? digits - power : 1, number);
}

// Declared only under _GNU_SOURCE, as ppoll above.
extern int accept4(int descriptor, struct sockaddr *address, socklen_t *size, int flags);

// The flags are macros that Swift does not import on every C library. Sends bytes without a wait, and without a signal if the other end is
// gone. The kernel takes less than some thousand of them whole or not at all.
static inline SWIFT_NAME("sendBytes(_:_:size:)") ssize_t linux_send(int descriptor, const void *bytes, size_t size) {
  return send(descriptor, bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static inline SWIFT_NAME("receiveBytes(_:_:size:)") ssize_t linux_receive(int descriptor, void *bytes, size_t size) {
  return recv(descriptor, bytes, size, MSG_DONTWAIT);
}

// Receives bytes of a local stream that have no descriptors: returns how many, 0 if there are none yet, -1 at the end, -2 if the next ones
// have descriptors, which are not received.
//
// To receive bytes with descriptors, or to close the socket before that, may take as long as their sender wants: the kernel closes the files
// meanwhile, and a socket with SO_LINGER, for example, waits then.
static inline SWIFT_NAME("receivePlainBytes(_:_:size:)") ssize_t linux_receive_plain(int descriptor, void *bytes, size_t size) {
  struct iovec place = {.iov_base = bytes, .iov_len = size};
  struct msghdr message = {.msg_iov = &place, .msg_iovlen = 1};
  ssize_t count = recvmsg(descriptor, &message, MSG_PEEK | MSG_DONTWAIT);
  // There is no place for what is not data.
  if (count >= 0 && message.msg_flags & MSG_CTRUNC) return -2;
  // Not more than was looked at.
  if (count > 0) count = recv(descriptor, bytes, (size_t)count, MSG_DONTWAIT);
  if (count > 0) return count;
  return count < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
}

// Makes the kernel refuse to send descriptors to a listening socket and its connections; only Linux 6.16 and later can.
static inline SWIFT_NAME("refuseDescriptors(_:)") int linux_refuse_descriptors(int descriptor) {
  const int pass_rights = 83; // SO_PASSRIGHTS
  const int off = 0;
  return setsockopt(descriptor, SOL_SOCKET, pass_rights, &off, sizeof off);
}

// A byte that is sent as urgent (MSG_OOB) stays among the others. Otherwise the connection could be read because of it, without end, and
// the kernel would not show the descriptors that it may have, but close them when other bytes are received.
static inline SWIFT_NAME("acceptConnection(_:)") int linux_accept(int descriptor) {
  const int on = 1;
  int connection = accept4(descriptor, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (connection < 0 || setsockopt(connection, SOL_SOCKET, SO_OOBINLINE, &on, sizeof on) == 0) return connection;
  close(connection);
  errno = ECONNABORTED;
  return -1;
}

// The kernel doubles the size, and counts its own data structures too (socket(7)).
static inline SWIFT_NAME("limitSendBuffer(_:_:)") int linux_limit_send_buffer(int descriptor, int size) {
  return setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
}

// The process that has connected, and its effective user then. The structure is declared only under _GNU_SOURCE.
static inline SWIFT_NAME("readPeer(_:process:user:)") int linux_peer(int descriptor, pid_t *process, uid_t *user) {
  struct { pid_t process; uid_t user; gid_t group; } peer;
  socklen_t size = sizeof peer;
  int result = getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size);
  if (result != 0) return result;
  *process = peer.process;
  *user = peer.user;
  return 0;
}

// A descriptor of the process that has connected, which never means another one that has got its number; -1 if it has ended, or before
// Linux 6.5, where errno is ENOPROTOOPT.
static inline SWIFT_NAME("peerDescriptor(_:)") int linux_peer_descriptor(int descriptor) {
  const int peer_process_descriptor = 77; // SO_PEERPIDFD
  int result = -1;
  socklen_t size = sizeof result;
  return getsockopt(descriptor, SOL_SOCKET, peer_process_descriptor, &result, &size) == 0 ? result : -1;
}

// The other end of a local socket and the user who has made the socket, by the numbers of their inodes (sock_diag(7)).
struct linux_local_socket {
  uint32_t inode;
  uint32_t peer;
  uid_t user;
};

// Asks the kernel about a local socket. The user is as the process sees users that has opened `diagnostics`.
static inline int linux_describe_local_socket(int diagnostics, struct linux_local_socket *socket) {
  struct {
    struct nlmsghdr header;
    struct unix_diag_req request;
  } question = {
      .header = {.nlmsg_len = sizeof question, .nlmsg_type = SOCK_DIAG_BY_FAMILY, .nlmsg_flags = NLM_F_REQUEST, .nlmsg_seq = socket->inode},
      .request = {.sdiag_family = AF_UNIX, .udiag_states = ~0u, .udiag_ino = socket->inode,
                  .udiag_show = UDIAG_SHOW_PEER | UDIAG_SHOW_UID, .udiag_cookie = {~0u, ~0u}},
  };
  struct {
    struct nlmsghdr header;
    struct unix_diag_msg socket;
    char attributes[256];
  } answer;
  // What an earlier process has asked and not read.
  while (recv(diagnostics, &answer, sizeof answer, MSG_DONTWAIT) > 0) {}
  // The kernel has answered when this returns.
  if (send(diagnostics, &question, sizeof question, MSG_DONTWAIT) != (ssize_t)sizeof question) return -1;
  ssize_t size = recv(diagnostics, &answer, sizeof answer, MSG_DONTWAIT);
  if (size < (ssize_t)(sizeof answer.header + sizeof answer.socket) || answer.header.nlmsg_type != SOCK_DIAG_BY_FAMILY ||
      answer.header.nlmsg_len > (size_t)size || answer.socket.udiag_ino != socket->inode)
    return -1;
  int found = 0;
  const char *end = (const char *)&answer + answer.header.nlmsg_len;
  for (const char *next = answer.attributes; end - next >= (ssize_t)sizeof(struct nlattr) + 4;) {
    struct nlattr attribute;
    memcpy(&attribute, next, sizeof attribute);
    if (attribute.nla_len < sizeof attribute || attribute.nla_len > end - next) return -1;
    if (attribute.nla_len < sizeof attribute + 4) {
      next += NLA_ALIGN(attribute.nla_len);
      continue;
    }
    if (attribute.nla_type == UNIX_DIAG_PEER) memcpy(&socket->peer, next + sizeof attribute, sizeof socket->peer), found |= 1;
    if (attribute.nla_type == UNIX_DIAG_UID) memcpy(&socket->user, next + sizeof attribute, sizeof socket->user), found |= 2;
    next += NLA_ALIGN(attribute.nla_len);
  }
  return found == 3 ? 0 : -1;
}

// The user who has made the socket at the other end of a connection, as the process sees users that has opened `diagnostics`, a socket of
// NETLINK_SOCK_DIAG. -1 if the kernel does not say it, as for a program in another network namespace than that socket's.
//
// The kernel looks for a socket in the list of all.
static inline SWIFT_NAME("readPeerOwner(_:diagnostics:user:)") int linux_peer_owner(int connection, int diagnostics, uid_t *user) {
  struct stat status;
  if (fstat(connection, &status) != 0 || !S_ISSOCK(status.st_mode)) return -1;
  struct linux_local_socket here = {.inode = (uint32_t)status.st_ino};
  if (linux_describe_local_socket(diagnostics, &here) != 0) return -1;
  struct linux_local_socket there = {.inode = here.peer};
  if (linux_describe_local_socket(diagnostics, &there) != 0 || there.peer != here.inode) return -1;
  *user = there.user;
  return 0;
}

// How many descriptors this process may have. The names are an enumeration in C.
static inline SWIFT_NAME("getter:descriptorLimit()") unsigned long linux_descriptor_limit(void) {
  struct rlimit limit = {0};
  getrlimit(RLIMIT_NOFILE, &limit);
  return limit.rlim_cur;
}

static inline void linux_do_nothing(int signal) { (void)signal; }

// Has a signal interrupt each wait of this thread soon, which then fails with EINTR, until the timer is deleted. Returns 0, or -1.
//
// A wait inside close(2) ends, too: that of a socket with SO_LINGER. Nobody else in the process may use SIGALRM.
static inline SWIFT_NAME("interruptWaits(everyNanoseconds:timer:)") int linux_interrupt_waits(long nanoseconds, timer_t *timer) {
#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif
  struct sigaction action = {.sa_handler = linux_do_nothing};
  struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGALRM};
  event.sigev_notify_thread_id = (pid_t)syscall(SYS_gettid);
  struct timespec time = {.tv_nsec = nanoseconds};
  struct itimerspec period = {.it_interval = time, .it_value = time};
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGALRM);
  if (sigaction(SIGALRM, &action, NULL) != 0 || pthread_sigmask(SIG_UNBLOCK, &signals, NULL) != 0 || timer_create(CLOCK_MONOTONIC, &event, timer) != 0)
    return -1;
  if (timer_settime(*timer, 0, &period, NULL) == 0) return 0;
  timer_delete(*timer);
  return -1;
}

static inline SWIFT_NAME("makeNonblocking(_:)") int linux_make_nonblocking(int descriptor) {
  return fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
}

// Connects to a local stream socket without waiting; returns the descriptor, or -1 with errno. The address is built here, because its path
// is an array, which Swift sees as a tuple.
static inline SWIFT_NAME("connectStream(_:)") int linux_connect_stream(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  size_t length = strlen(path);
  if (length >= sizeof address.sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  memcpy(address.sun_path, path, length + 1);
  int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor < 0) return -1;
  if (connect(descriptor, (const struct sockaddr *)&address, sizeof address) == 0) return descriptor;
  int reason = errno;
  close(descriptor);
  errno = reason;
  return -1;
}

// Of a graphics card, by the kernel's uapi/drm/drm_mode.h, which is not installed wherever this is built. The counts are how much there is
// room for, and then how much there is.
struct linux_card_resources {
  uint64_t framebuffers, controllers, connectors, encoders;
  uint32_t framebuffer_count, controller_count, connector_count, encoder_count, narrowest, widest, lowest, highest;
};

struct linux_card_connector {
  uint64_t encoders, modes, properties, values;
  uint32_t mode_count, property_count, encoder_count, encoder, id, kind, number, connection, width, height, subpixel, padding;
};

struct linux_card_property {
  uint64_t values, enumeration;
  uint32_t id, flags;
  char name[32];
  uint32_t value_count, enumeration_count;
};

// Opens a card, and is not its master: the first program that opens one is, while there is no other.
static inline SWIFT_NAME("openCard(_:)") int linux_open_card(const char *path) {
  int card = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (card >= 0) ioctl(card, _IO('d', 0x1f)); // DROP_MASTER, which fails if another program is it.
  return card;
}

// The connectors of a card; returns how many, at most `most`, or -1.
static inline SWIFT_NAME("listConnectors(of:to:most:)") int linux_list_connectors(int card, uint32_t *connectors, uint32_t most) {
  struct linux_card_resources resources = {0};
  if (ioctl(card, _IOWR('d', 0xa0, struct linux_card_resources), &resources) != 0 || resources.connector_count > most) return -1;
  resources = (struct linux_card_resources){.connectors = (uintptr_t)connectors, .connector_count = resources.connector_count};
  if (ioctl(card, _IOWR('d', 0xa0, struct linux_card_resources), &resources) != 0 || resources.connector_count > most) return -1;
  return (int)resources.connector_count;
}

// The value of a connector's property "panel orientation", and the connector's kind and number, which are its name; -1 if it has none.
//
// With room for a mode, the kernel does not look whether a screen is connected, which takes long, and flickers.
static inline SWIFT_NAME("panelOrientation(on:of:kind:number:)") int linux_panel_orientation(int card, uint32_t id, uint32_t *kind, uint32_t *number) {
  enum { most = 64 };
  uint32_t properties[most] = {0};
  uint64_t values[most] = {0};
  char mode[128];
  struct linux_card_connector connector = {
      .id = id, .modes = (uintptr_t)mode, .mode_count = 1,
      .properties = (uintptr_t)properties, .values = (uintptr_t)values, .property_count = most,
  };
  if (ioctl(card, _IOWR('d', 0xa7, struct linux_card_connector), &connector) != 0) return -1;
  *kind = connector.kind;
  *number = connector.number;
  for (uint32_t index = 0; index < connector.property_count && index < most; index++) {
    struct linux_card_property property = {.id = properties[index]};
    if (ioctl(card, _IOWR('d', 0xaa, struct linux_card_property), &property) != 0) continue;
    if (strncmp(property.name, "panel orientation", sizeof property.name) == 0) return values[index] < 4 ? (int)values[index] : -1;
  }
  return -1;
}
