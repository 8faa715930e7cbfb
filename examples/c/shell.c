// SPDX-License-Identifier: Apache-2.0
//
// Turns a screen as the shell of a desktop does. It only says what it would set: set_transform is to be replaced. Ctrl-C ends it.
//
// cc -Wall -o shell shell.c $(pkg-config --cflags --libs libsystemd)

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-bus.h>

#define DAEMON "org.orientationd1", "/org/orientationd1"
#define SCREEN "org.orientationd1.Screen"

static const char *const transforms[] = {"normal", "90", "180", "270"}; // wl_output has the numbers 0 to 3 for these

// Call your compositor here. The orientation is that of the interface, for what depends on it, such as where a panel is.
static void set_transform(int transform, const char *orientation) {
    printf("set transform %s, %s\n", transforms[transform], orientation);
    fflush(stdout);
}

static int show(sd_bus_message *answer, void *bus, sd_bus_error *error) {
    static int last = -1;
    const char *name, *transform = "", *orientation = "";
    int decided = 0;
    if (sd_bus_message_is_method_error(answer, NULL) || sd_bus_message_enter_container(answer, 'a', "{sv}") < 0)
        return 0;
    while (sd_bus_message_enter_container(answer, 'e', "sv") > 0 && sd_bus_message_read(answer, "s", &name) > 0) {
        if (strcmp(name, "Transform") == 0)
            sd_bus_message_read(answer, "v", "s", &transform);
        else if (strcmp(name, "InterfaceOrientationName") == 0)
            sd_bus_message_read(answer, "v", "s", &orientation);
        else if (strcmp(name, "InterfaceOrientationIsDecided") == 0)
            sd_bus_message_read(answer, "v", "b", &decided);
        else
            sd_bus_message_skip(answer, "v");
        sd_bus_message_exit_container(answer);
    }
    // Until it is decided, and with a value of a later version, the screen stays as it is.
    for (int i = 0; i < 4; i++)
        if (decided && i != last && strcmp(transform, transforms[i]) == 0)
            set_transform(last = i, orientation);
    return 0;
}

// With each PropertiesChanged. The values are asked for: any program can send such a signal, but only the daemon answers.
static int read_screen(sd_bus_message *message, void *bus, sd_bus_error *error) {
    if (sd_bus_get_name_creds(bus, "org.orientationd1", 0, NULL) < 0) // It has ended meanwhile: the call would start it.
        return 0;
    return sd_bus_call_method_async(bus, NULL, DAEMON, "org.freedesktop.DBus.Properties", "GetAll", show, bus, "s", SCREEN);
}

static int is_following;

static int begun(sd_bus_message *answer, void *bus, sd_bus_error *error) {
    is_following = !sd_bus_message_is_method_error(answer, NULL);
    if (!is_following)
        fprintf(stderr, "cannot follow: %s\n", sd_bus_message_get_error(answer)->message);
    return read_screen(answer, bus, error);
}

// Called at the start, and with NameOwnerChanged: a daemon of another boot or bus does not know of us.
static int begin(sd_bus_message *message, void *bus, sd_bus_error *error) {
    const char *owner = NULL;
    is_following = 0;
    if (message != NULL && (sd_bus_message_read(message, "sss", NULL, NULL, &owner) < 0 || *owner == '\0'))
        return 0;
    return sd_bus_call_method_async(bus, NULL, DAEMON, SCREEN, "BeginFollowing", begun, bus, "");
}

int main(void) {
    sd_event *event = NULL;
    sd_bus *bus = NULL;
    if (sd_event_default(&event) < 0 || sd_bus_default_system(&bus) < 0 || sd_bus_attach_event(bus, event, 0) < 0)
        return EXIT_FAILURE;
    sd_bus_set_close_on_exit(bus, 0);
    sd_event_set_signal_exit(event, 1); // SIGINT and SIGTERM end the loop: systemd 252.
    // This starts the daemon, if it does not run: before the match, so that it is told once.
    sd_bus_call_method(bus, "org.orientationd1", "/", "org.freedesktop.DBus.Peer", "Ping", NULL, NULL, "");
    sd_bus_add_match(bus, NULL, "type='signal',sender='org.orientationd1',member='PropertiesChanged',arg0='" SCREEN "'", read_screen, bus);
    sd_bus_add_match(bus, NULL, "sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='org.orientationd1'", begin, bus);
    begin(NULL, bus, NULL);
    sd_event_loop(event);
    if (is_following)
        sd_bus_call_method(bus, DAEMON, SCREEN, "EndFollowing", NULL, NULL, "");
}
