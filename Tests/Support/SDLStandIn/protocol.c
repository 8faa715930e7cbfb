/* SPDX-License-Identifier: Apache-2.0 */
/* The driver, and that its protocol is the one of orientationd's header: it is not compiled if they differ. */

#include "SDL_linuxsensor.c"

#include <orientationd-motion.h>
#include <stddef.h>

#define SAME(name) _Static_assert((unsigned)MOTION_##name == (unsigned)ORIENTATIOND_MOTION_##name, #name)
#define SAME_PLACE(type, other, field) \
    _Static_assert(offsetof(type, field) == offsetof(struct other, field) && \
        sizeof(((type *)0)->field) == sizeof(((struct other *)0)->field), #field)
#define SAME_IN_REQUEST(field) SAME_PLACE(MotionRequest, orientationd_motion_request, field)
#define SAME_IN_RECORD(field) SAME_PLACE(MotionRecord, orientationd_motion_record, field)

SAME(VERSION);
SAME(ACCELEROMETER);
SAME(GYROSCOPE);
SAME(START);
SAME(SAMPLE);
SAME(STATE);
SAME(STARTING);
SAME(ACTIVE);
SAME(FAILED);
SAME(SUSPENDED);
SAME(WAITING);
SAME(INVALID_REQUEST);
SAME_IN_REQUEST(version);
SAME_IN_REQUEST(kind);
SAME_IN_REQUEST(sensor);
SAME_IN_REQUEST(interval_us);
SAME_IN_REQUEST(reserved);
SAME_IN_RECORD(kind);
SAME_IN_RECORD(sensor);
SAME_IN_RECORD(lost);
SAME_IN_RECORD(time_ns);
SAME_IN_RECORD(x);
SAME_IN_RECORD(y);
SAME_IN_RECORD(z);
SAME_IN_RECORD(code);
_Static_assert(sizeof(MotionRequest) == sizeof(struct orientationd_motion_request), "request");
_Static_assert(sizeof(MotionRecord) == sizeof(struct orientationd_motion_record), "record");
_Static_assert(MOTION_INTERVAL_US >= ORIENTATIOND_MOTION_SHORTEST_INTERVAL, "interval");
_Static_assert(MOTION_INTERVAL_US <= ORIENTATIOND_MOTION_LONGEST_INTERVAL, "interval");
