/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The protocol of orientationd's motion socket; see orientationd-motion(5). There is no library: connect a socket of
 * AF_UNIX and SOCK_STREAM to ORIENTATIOND_MOTION_PATH, send a request, and receive records. Nothing is between two
 * requests or two records. All numbers are little-endian.
 */
#ifndef ORIENTATIOND_MOTION_H
#define ORIENTATIOND_MOTION_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ORIENTATIOND_MOTION_PATH "/run/orientationd/motion"

/* The first field of a request: "ODM1" in memory. The digit is the version of the protocol. */
#define ORIENTATIOND_MOTION_VERSION UINT32_C(0x314d444f)

/* The sensors. Units and axes: see struct orientationd_motion_record. */
enum orientationd_motion_sensor {
  ORIENTATIOND_MOTION_ACCELEROMETER = 1,
  ORIENTATIOND_MOTION_GYROSCOPE = 2,
  /* The accelerometer's readings without the motion, by a low-pass of 0.12 s. */
  ORIENTATIOND_MOTION_GRAVITY = 3
};

/* The kinds of requests. */
enum orientationd_motion_request_kind {
  /* Start a stream, or change its interval: there is one of each sensor in a connection. */
  ORIENTATIOND_MOTION_START = 1,
  /* End it. interval_us must be 0. */
  ORIENTATIOND_MOTION_STOP = 2
};

/* The limits of interval_us, in microseconds. */
#define ORIENTATIOND_MOTION_SHORTEST_INTERVAL UINT32_C(5000)
#define ORIENTATIOND_MOTION_LONGEST_INTERVAL UINT32_C(10000000)

struct orientationd_motion_request {
  uint32_t version;     /* ORIENTATIOND_MOTION_VERSION */
  uint16_t kind;        /* enum orientationd_motion_request_kind */
  uint16_t sensor;      /* enum orientationd_motion_sensor */
  uint32_t interval_us; /* the wanted time between two samples */
  uint32_t reserved;    /* 0 */
};

/* The kinds of records. Ignore others. */
enum orientationd_motion_record_kind {
  ORIENTATIOND_MOTION_SAMPLE = 1,
  ORIENTATIOND_MOTION_STATE = 2
};

/* The states of a stream. */
enum orientationd_motion_state {
  /* The sensor is being looked for or started; also when the machine is awake again. */
  ORIENTATIOND_MOTION_STARTING = 1,
  /* It delivers: samples follow. */
  ORIENTATIOND_MOTION_ACTIVE = 2,
  /* There is no such sensor. If one appears, it is used. */
  ORIENTATIOND_MOTION_NO_SENSOR = 3,
  /* The sensor cannot be read, or delivers nothing. It is tried again. */
  ORIENTATIOND_MOTION_FAILED = 4,
  /* The machine is about to sleep. The stream continues afterwards. */
  ORIENTATIOND_MOTION_SUSPENDED = 5,
  /* polkit is being asked. */
  ORIENTATIOND_MOTION_WAITING = 6,
  /* The stream has ended, by a request. */
  ORIENTATIOND_MOTION_STOPPED = 7,
  /* polkit does not allow the stream, or does not allow it any more. If polkit allows it later, the stream
     continues. With sensor 0: the program's user is not known for certain, and the connection is closed. */
  ORIENTATIOND_MOTION_DENIED = 8,
  /* There are too many requests or, with sensor 0, connections. The connection is closed. */
  ORIENTATIOND_MOTION_LIMITS_EXCEEDED = 9,
  /* The request was invalid. The connection is closed. */
  ORIENTATIOND_MOTION_INVALID_REQUEST = 10
};

struct orientationd_motion_record {
  uint16_t kind;    /* enum orientationd_motion_record_kind */
  uint16_t sensor;  /* enum orientationd_motion_sensor; 0 if the record is about the connection */
  uint32_t lost;    /* the samples of this stream that were lost since its last record */
  uint64_t time_ns; /* CLOCK_BOOTTIME, when the sample was taken or the state was entered, in nanoseconds */
  /*
   * The sample: m/s^2, or rad/s of a gyroscope, along the axes of the screen in the device's portrait orientation: x to
   * its right edge, y to its top, z out of it. At rest, an accelerometer reads the force that holds it up: held upright
   * 0, 9.8, 0; lying on its back 0, 0, 9.8. A positive rate is a turn counterclockwise when seen from the end of its
   * axis. In a state, 0.
   */
  float x;
  float y;
  float z;
  uint32_t code; /* enum orientationd_motion_state; in a sample, 0 */
};

#ifdef __cplusplus
}
#endif

#endif
