// SPDX-License-Identifier: Apache-2.0
//
// Prints gravity ten times a second, in m/s^2 along the screen's axes. Ctrl-C ends it; orientationd-motion(5) has the details.
//
// cc -Wall -o motion motion.c

#include <errno.h>
#include <orientationd-motion.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

static const char *const states[] = {"", "starting", "active", "no sensor", "failed", "suspended",
    "waiting", "stopped", "denied", "limits exceeded", "invalid request"};

int main(int argc, char **argv) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct orientationd_motion_request request = {
        .version = ORIENTATIOND_MOTION_VERSION,
        .kind = ORIENTATIOND_MOTION_START,
        .sensor = ORIENTATIOND_MOTION_GRAVITY,
        .interval_us = 100000,
    };
    struct orientationd_motion_record record;
    strncpy(address.sun_path, argc > 1 ? argv[1] : ORIENTATIOND_MOTION_PATH, sizeof address.sun_path - 1);
    int daemon = socket(AF_UNIX, SOCK_STREAM, 0);
    // EPIPE: the daemon has refused this program already. Its record, which says why, can still be received.
    if (connect(daemon, (struct sockaddr *)&address, sizeof address) < 0 ||
        (send(daemon, &request, sizeof request, MSG_NOSIGNAL) < 0 && errno != EPIPE)) {
        perror("motion");
        return 1;
    }
    while (recv(daemon, &record, sizeof record, MSG_WAITALL) == (ssize_t)sizeof record) {
        if (record.kind == ORIENTATIOND_MOTION_SAMPLE) {
            printf("%.2f %.2f %.2f\n", record.x, record.y, record.z);
            fflush(stdout);
        } else if (record.kind == ORIENTATIOND_MOTION_STATE && record.code < sizeof states / sizeof *states) {
            fprintf(stderr, "%s: %s\n", record.sensor ? "gravity" : "connection", states[record.code]);
        }
    }
    fputs("the connection has ended\n", stderr);
    return 1;
}
