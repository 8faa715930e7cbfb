// SPDX-License-Identifier: Apache-2.0
//
// Holds the screen in landscape while it runs, as an app does that shows a film. Prints the number of the hold. Ctrl-C ends it.
//
// cc -Wall -o hold hold.c $(pkg-config --cflags --libs libsystemd)

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <systemd/sd-bus.h>

#define SCREEN "org.orientationd1", "/org/orientationd1", "org.orientationd1.Screen"

static uint32_t hold;
static int is_held, has_owner;

static int held(sd_bus_message *answer, void *bus, sd_bus_error *error) {
    // If it is refused after a restart, the daemon may still have the hold before: its number is kept.
    if (sd_bus_message_is_method_error(answer, NULL))
        fprintf(stderr, "not held: %s\n", sd_bus_message_get_error(answer)->message);
    else if (sd_bus_message_read(answer, "u", &hold) > 0 && (is_held = 1) && printf("hold %u\n", hold) > 0)
        fflush(stdout);
    return 0;
}

// Called at the start, and with NameOwnerChanged: a daemon of another boot or bus does not know of the hold.
static int take(sd_bus_message *message, void *bus, sd_bus_error *error) {
    const char *owner = NULL;
    has_owner = message == NULL || (sd_bus_message_read(message, "sss", NULL, NULL, &owner) > 0 && *owner != '\0');
    if (!has_owner)
        return 0;
    // Two orientations; who holds, and what for, which every user can read; no options.
    return sd_bus_call_method_async(bus, NULL, SCREEN, "HoldInterfaceOrientations", held, bus, "asssa{sv}",
                                    2, "landscapeLeft", "landscapeRight", "org.example.Film", "shows a film", 0);
}

int main(void) {
    sd_event *event = NULL;
    sd_bus *bus = NULL;
    if (sd_event_default(&event) < 0 || sd_bus_default_system(&bus) < 0 || sd_bus_attach_event(bus, event, 0) < 0)
        return EXIT_FAILURE;
    sd_bus_set_close_on_exit(bus, 0);
    sd_event_set_signal_exit(event, 1); // SIGINT and SIGTERM end the loop: systemd 252.
    // This starts the daemon, if it does not run: before the match, so that there is one hold.
    sd_bus_call_method(bus, "org.orientationd1", "/", "org.freedesktop.DBus.Peer", "Ping", NULL, NULL, "");
    sd_bus_add_match(bus, NULL, "sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='org.orientationd1'", take, bus);
    take(NULL, bus, NULL);
    sd_event_loop(event);
    if (is_held && has_owner)
        sd_bus_call_method(bus, SCREEN, "ReleaseInterfaceOrientations", NULL, NULL, "u", hold);
}
