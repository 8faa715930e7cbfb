// SPDX-License-Identifier: Apache-2.0
//
// Prints how the tablet is held and whether rotation is locked, now and after each change. Ctrl-C ends it.
//
// cc -Wall -o orientation orientation.c $(pkg-config --cflags --libs libsystemd)

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-bus.h>

#define DEVICE "org.orientationd1", "/org/orientationd1", "org.orientationd1.Device"
#define SCREEN "org.orientationd1", "/org/orientationd1", "org.orientationd1.Screen"

static int print_state(sd_bus_message *message, void *bus, sd_bus_error *error) {
    static char last[80];
    char *name, line[80]; int locked;
    // After a message of a daemon that has ended meanwhile, the questions would start it.
    if ((message != NULL && sd_bus_get_name_creds(bus, "org.orientationd1", 0, NULL) < 0) ||
        sd_bus_get_property_trivial(bus, SCREEN, "RotationLocked", NULL, 'b', &locked) < 0 ||
        sd_bus_get_property_string(bus, DEVICE, "OrientationName", NULL, &name) < 0)
        return 0;
    snprintf(line, sizeof line, "%s, rotation %s", name, locked ? "locked" : "unlocked");
    // Other properties change, too.
    if (strcmp(line, last) != 0 && puts(strcpy(last, line)) >= 0)
        fflush(stdout);
    free(name);
    return 0;
}

// Called at the start, and with NameOwnerChanged: a daemon of another boot or bus does not know of us.
static int begin(sd_bus_message *message, void *bus, sd_bus_error *error) {
    const char *owner = NULL;
    if (message != NULL && (sd_bus_message_read(message, "sss", NULL, NULL, &owner) < 0 || *owner == '\0'))
        return 0;
    return sd_bus_call_method_async(bus, NULL, DEVICE, "BeginGeneratingDeviceOrientationNotifications", print_state, bus, "");
}

int main(void) {
    sd_event *event = NULL;
    sd_bus *bus = NULL;
    if (sd_event_default(&event) < 0 || sd_bus_default_system(&bus) < 0 || sd_bus_attach_event(bus, event, 0) < 0)
        return EXIT_FAILURE;
    sd_bus_set_close_on_exit(bus, 0);
    sd_event_set_signal_exit(event, 1); // SIGINT and SIGTERM end the loop: systemd 252.
    sd_bus_add_match(bus, NULL, "type='signal',sender='org.orientationd1',member='PropertiesChanged'", print_state, bus);
    print_state(NULL, bus, NULL); // This starts the daemon, if it does not run.
    sd_bus_add_match(bus, NULL, "sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='org.orientationd1'", begin, bus);
    begin(NULL, bus, NULL);
    sd_event_loop(event);
    if (sd_bus_get_name_creds(bus, "org.orientationd1", 0, NULL) >= 0) // Else the call would start it.
        sd_bus_call_method(bus, DEVICE, "EndGeneratingDeviceOrientationNotifications", NULL, NULL, "");
}
