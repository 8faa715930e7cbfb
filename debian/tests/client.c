// SPDX-License-Identifier: Apache-2.0
//
// Subscribes to notifications and prints each orientation until the device is in landscapeLeft, then the transform of the screen.

#include <stdlib.h>

#include "Device.h"
#include "Screen.h"

static const char name[] = "org.orientationd1";
static const char path[] = "/org/orientationd1";
static GMainLoop *loop;

static void check(GError *error)
{
    if (error)
        g_error("%s", error->message);
}

static void orientation_did_change(OrientationdDevice *device, guint orientation, guint previous, guint64 time_usec, gpointer data)
{
    g_assert_cmpuint(orientation, !=, previous);
    g_assert_cmpuint(time_usec, >, 0);
    // The property has changed before the signal.
    g_print("%s\n", orientationd_device_get_orientation_name(device));
    if (orientation == 3)
        g_main_loop_quit(loop);
}

static gboolean give_up(gpointer data)
{
    g_printerr("no turn in a minute\n");
    exit(EXIT_FAILURE);
}

int main(void)
{
    GError *error = NULL;
    OrientationdDevice *device = orientationd_device_proxy_new_for_bus_sync(G_BUS_TYPE_SYSTEM, 0, name, path, NULL, &error);
    check(error);
    OrientationdScreen *screen = orientationd_screen_proxy_new_for_bus_sync(G_BUS_TYPE_SYSTEM, 0, name, path, NULL, &error);
    check(error);

    g_signal_connect(device, "orientation-did-change", G_CALLBACK(orientation_did_change), NULL);
    orientationd_device_call_begin_generating_device_orientation_notifications_sync(device, NULL, &error);
    check(error);
    loop = g_main_loop_new(NULL, FALSE);
    g_timeout_add_seconds(60, give_up, NULL);
    g_main_loop_run(loop);

    // The change of the screen follows in a separate message.
    while (g_strcmp0(orientationd_screen_get_transform(screen), "270") != 0)
        g_main_context_iteration(NULL, TRUE);
    g_print("transform %s\n", orientationd_screen_get_transform(screen));

    orientationd_device_call_end_generating_device_orientation_notifications_sync(device, NULL, &error);
    check(error);
    return EXIT_SUCCESS;
}
