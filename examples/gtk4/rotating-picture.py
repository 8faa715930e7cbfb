#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A window with a picture of the tablet, which turns as the tablet is turned.

The landscape on the tablet's screen shows which way up the interface is. While rotation is locked, it turns with the tablet, and
a button offers to rotate it once. It needs GTK 4 and PyGObject (Debian: gir1.2-gtk-4.0, python3-gi, python3-gi-cairo).
"""

import math
import signal

import gi

gi.require_version("Gtk", "4.0")
from gi.repository import Gio, GLib, Gtk

# How far the tablet is turned clockwise, in degrees, when each orientation of its interface is upright.
DEGREES = {1: 0, 2: 180, 3: -90, 4: 90}


class Tablet:
    """What the daemon says of the tablet. `changed` is called after each change."""

    def __init__(self, changed):
        self.changed = changed
        self.proxies = {}
        self.may_lock = False
        for interface in "Device", "Screen":
            Gio.DBusProxy.new_for_bus(
                Gio.BusType.SYSTEM, Gio.DBusProxyFlags.DO_NOT_AUTO_START_AT_CONSTRUCTION, None, "org.orientationd1",
                "/org/orientationd1", f"org.orientationd1.{interface}", None, self.connected, interface)

    def connected(self, _source, result, interface):
        proxy = self.proxies[interface] = Gio.DBusProxy.new_for_bus_finish(result)
        proxy.connect("g-properties-changed", lambda *_: self.changed())
        proxy.connect("notify::g-name-owner", self.owner_changed, interface)
        # This starts the daemon, if it does not run. If that fails, it may come later.
        proxy.call("org.freedesktop.DBus.Peer.Ping", None, Gio.DBusCallFlags.NONE, -1, None, None)
        self.owner_changed(proxy, None, interface)
        self.changed()

    def owner_changed(self, proxy, _property, interface):
        """Begins at the start, and again with each owner of the name: one of another boot or bus does not know of this program."""
        if proxy.get_name_owner() and interface == "Device":
            self.call("Device", "BeginGeneratingDeviceOrientationNotifications")
        elif proxy.get_name_owner():
            self.ask_permission()

    def ask_permission(self):
        """Asks whether the user may lock rotation, or may authenticate for that."""
        if self.interface is not None:
            self.call("Screen", "CanSetRotationLock", answer=self.permission_known)

    def permission_known(self, answer):
        self.may_lock = answer != "no"
        self.changed()

    def end(self):
        device = self.proxies.get("Device")
        if device and device.get_name_owner():
            device.EndGeneratingDeviceOrientationNotifications()

    def call(self, interface, method, arguments=None, answer=lambda *_: None, failed=lambda: None):
        """Calls a method without waiting for its answer. The daemon may ask the user to authenticate, which takes a while."""

        def finished(proxy, result):
            try:
                answer(*proxy.call_finish(result).unpack())
            except GLib.Error as error:
                print(f"{method}: {error.message}")
                failed()

        self.proxies[interface].call(
            method, arguments, Gio.DBusCallFlags.ALLOW_INTERACTIVE_AUTHORIZATION, 150_000, None, finished)

    def get(self, interface, name):
        """A property, or None while the daemon does not run."""
        proxy = self.proxies.get(interface)
        value = proxy.get_cached_property(name) if proxy else None
        return None if value is None else value.unpack()

    is_known = property(lambda self: None not in (self.name, self.interface))
    name = property(lambda self: self.get("Device", "OrientationName"))
    device = property(lambda self: self.get("Device", "Orientation"))
    is_locked = property(lambda self: self.get("Screen", "RotationLocked"))
    interface = property(lambda self: self.get("Screen", "InterfaceOrientation"))
    suggested = property(lambda self: self.get("Screen", "SuggestedInterfaceOrientation"))


class Picture(Gtk.DrawingArea):
    """The tablet, as it is held, and what its screen shows."""

    SECONDS = 0.1

    def __init__(self):
        super().__init__(content_width=320, content_height=320, hexpand=True, vexpand=True)
        self.set_draw_func(self.draw)
        # Degrees clockwise, of the tablet and of what it shows: as they are drawn, and as they will be soon.
        self.drawn = self.wanted = (0, 0)
        self.time = None

    def turn(self, tablet, shown):
        if (tablet, shown) == self.wanted:
            return
        self.wanted = (tablet, shown)
        if not self.get_mapped() or not self.get_settings().props.gtk_enable_animations:
            self.drawn = self.wanted
            self.queue_draw()
        elif self.time is None:
            self.time = self.get_frame_clock().get_frame_time()
            self.add_tick_callback(self.animate)

    def animate(self, _widget, clock):
        """Brings both nearer to where they will be, the shorter way round."""
        elapsed = (clock.get_frame_time() - self.time) / 1e6
        self.time = clock.get_frame_time()
        ways = [(wanted - drawn + 180) % 360 - 180 for drawn, wanted in zip(self.drawn, self.wanted)]
        has_arrived = max(map(abs, ways)) < 0.5
        share = 1 - math.exp(-elapsed / self.SECONDS)
        self.drawn = self.wanted if has_arrived else tuple(drawn + share * way for drawn, way in zip(self.drawn, ways))
        if has_arrived:
            self.time = None
        self.queue_draw()
        return GLib.SOURCE_REMOVE if has_arrived else GLib.SOURCE_CONTINUE

    def draw(self, _area, context, width, height):
        tablet, shown = map(math.radians, self.drawn)
        context.translate(width / 2, height / 2)
        context.scale(min(width, height) / 2, min(width, height) / 2)
        context.rotate(tablet)
        self.rounded_rectangle(context, 0.58, 0.78, 0.1)
        context.set_source_rgb(0.14, 0.12, 0.19)
        context.fill()
        # The camera is at the top edge.
        context.arc(0, -0.71, 0.025, 0, 2 * math.pi)
        context.set_source_rgb(1, 0.47, 0)
        context.fill()
        self.rounded_rectangle(context, 0.51, 0.64, 0.03)
        context.clip()
        context.rotate(shown - tablet)
        self.draw_landscape(context)

    @staticmethod
    def rounded_rectangle(context, x, y, radius):
        """A rectangle from -x to x and from -y to y."""
        context.new_path()
        for corner, (right, down) in enumerate([(1, 1), (-1, 1), (-1, -1), (1, -1)]):
            start = corner * math.pi / 2
            context.arc(right * (x - radius), down * (y - radius), radius, start, start + math.pi / 2)
        context.close_path()

    @staticmethod
    def draw_landscape(context):
        context.set_source_rgb(0.6, 0.76, 0.95)
        context.paint()
        context.arc(0.12, -0.33, 0.1, 0, 2 * math.pi)
        context.set_source_rgb(0.97, 0.89, 0.36)
        context.fill()
        for x, y, radius, colour in (0.5, 0.75, 0.7, (0.2, 0.82, 0.48)), (-0.35, 0.95, 0.85, (0.15, 0.64, 0.41)):
            context.arc(x, y, radius, 0, 2 * math.pi)
            context.set_source_rgb(*colour)
            context.fill()
        context.set_source_rgb(0.14, 0.12, 0.19)
        context.set_font_size(0.4)
        extents = context.text_extents("Aa")
        context.move_to(-extents.x_bearing - extents.width / 2, 0.12)
        context.show_text("Aa")


class Window(Gtk.ApplicationWindow):
    """The picture, a button that locks rotation, and one that rotates the interface while rotation is locked."""

    def __init__(self, app):
        super().__init__(application=app, title="Tablet", default_width=360, default_height=440)
        # A button shows the state of its action, and is grey while the action is disabled.
        self.lock = Gio.SimpleAction.new_stateful("lock", None, GLib.Variant("b", False))
        self.lock.connect("change-state", self.lock_clicked)
        self.lock.set_enabled(False)
        self.add_action(self.lock)
        self.lock_button = Gtk.ToggleButton(label="Lock rotation", action_name="win.lock")
        bar = Gtk.HeaderBar()
        bar.pack_start(self.lock_button)
        self.set_titlebar(bar)

        self.picture = Picture()
        self.rotate_button = Gtk.Button(
            label="Rotate?", halign=Gtk.Align.CENTER, valign=Gtk.Align.END, visible=False, css_classes=["suggested-action"])
        self.rotate_button.connect("clicked", self.rotate_clicked)
        overlay = Gtk.Overlay(child=self.picture, margin_top=12)
        overlay.add_overlay(self.rotate_button)
        self.label = Gtk.Label(margin_top=12, margin_bottom=12)
        box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        box.append(overlay)
        box.append(self.label)
        self.set_child(box)

        self.tablet = Tablet(self.update)
        # What the user may do depends on the session, and nobody announces a change of that.
        self.connect("notify::is-active", lambda *_: self.tablet.ask_permission())

    def update(self):
        """Shows the present state of the tablet."""
        tablet = self.tablet
        if not tablet.is_known:
            self.label.set_label("orientationd does not run")
            self.lock.set_enabled(False)
            self.rotate_button.set_visible(False)
            return
        self.lock.set_enabled(tablet.may_lock)
        self.lock.set_state(GLib.Variant("b", tablet.is_locked))
        self.label.set_label(f"{tablet.name}, rotation locked" if tablet.is_locked else tablet.name)
        if not {tablet.interface, tablet.suggested} <= DEGREES.keys():  # Of a later version: the picture stays as it is.
            self.rotate_button.set_visible(False)
            return
        # While rotation is locked, only the suggestion tells how the tablet is held; unlocked, it is the interface, which may be held.
        held = DEGREES.get(tablet.suggested if tablet.is_locked else tablet.device, DEGREES[tablet.suggested])
        self.picture.turn(held, held - DEGREES[tablet.interface])
        self.rotate_button.set_visible(tablet.is_locked and tablet.suggested != tablet.interface)

    def lock_clicked(self, _action, is_locked):
        # The daemon announces the new state, and the button shows it then.
        argument = GLib.Variant("(b)", (is_locked.unpack(),))
        self.tablet.call("Screen", "SetRotationLock", argument, failed=self.tablet.ask_permission)

    def rotate_clicked(self, _button):
        self.tablet.call("Screen", "Rotate", GLib.Variant("(u)", (self.tablet.suggested,)))


class App(Gtk.Application):
    def __init__(self):
        super().__init__(application_id="org.orientationd1.RotatingPicture", flags=Gio.ApplicationFlags.NON_UNIQUE)
        self.window = None
        for number in signal.SIGINT, signal.SIGTERM:
            signal.signal(number, lambda *_: self.quit())

    def do_activate(self):
        self.window = Window(self)
        self.window.present()

    def do_shutdown(self):
        if self.window:
            self.window.tablet.end()
        Gtk.Application.do_shutdown(self)


if __name__ == "__main__":
    App().run()
