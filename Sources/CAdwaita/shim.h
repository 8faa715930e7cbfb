// SPDX-License-Identifier: Apache-2.0
//
// Swift imports neither macros that cast nor functions with variable arguments. Nearly all of a widget is its properties.
#pragma once
#include <adwaita.h>
#include <glib-unix.h>

static inline void ui_set_string(gpointer object, const char *property, const char *value) {
  g_object_set(object, property, value, NULL);
}

static inline void ui_set_boolean(gpointer object, const char *property, gboolean value) {
  g_object_set(object, property, value, NULL);
}

static inline void ui_set_int(gpointer object, const char *property, int value) {
  g_object_set(object, property, value, NULL);
}

static inline void ui_set_double(gpointer object, const char *property, double value) {
  g_object_set(object, property, value, NULL);
}

static inline gboolean ui_get_boolean(gpointer object, const char *property) {
  gboolean value = FALSE;
  g_object_get(object, property, &value, NULL);
  return value;
}

static inline guint ui_get_unsigned(gpointer object, const char *property) {
  guint value = 0;
  g_object_get(object, property, &value, NULL);
  return value;
}

// The data comes first, so that one handler fits every signal; what else a signal has is left out.
static inline gulong ui_connect(
    gpointer object, const char *signal, void (*handler)(gpointer), gpointer data, void (*destroyed)(gpointer)) {
  return g_signal_connect_data(
      object, signal, (GCallback)handler, data, (GClosureNotify)(void *)destroyed, G_CONNECT_SWAPPED);
}

// For a response with its number: GtkNativeDialog's.
static inline gulong ui_connect_response(
    gpointer object, void (*handler)(gpointer, int, gpointer), gpointer data) {
  return g_signal_connect(object, "response", (GCallback)handler, data);
}

static inline void ui_set_draw_function(
    gpointer area, void (*draw)(GtkDrawingArea *, cairo_t *, int, int, gpointer), gpointer data) {
  gtk_drawing_area_set_draw_func((GtkDrawingArea *)area, draw, data, NULL);
}

static inline void ui_add_tick_function(
    gpointer widget, gboolean (*tick)(GtkWidget *, GdkFrameClock *, gpointer), gpointer data, void (*destroyed)(gpointer)) {
  gtk_widget_add_tick_callback((GtkWidget *)widget, tick, data, destroyed);
}

static inline void ui_queue_draw(gpointer widget) { gtk_widget_queue_draw((GtkWidget *)widget); }

static inline gboolean ui_is_mapped(gpointer widget) { return gtk_widget_get_mapped((GtkWidget *)widget); }

static inline void ui_present(gpointer window, gpointer application) {
  gtk_window_set_application((GtkWindow *)window, (GtkApplication *)application);
  gtk_window_present((GtkWindow *)window);
}

// Sets a property that is markup to a text.
static inline void ui_set_escaped(gpointer object, const char *property, const char *text) {
  char *markup = g_markup_escape_text(text, -1);
  g_object_set((GObject *)object, property, markup, NULL);
  g_free(markup);
}

// Says something for a moment, in place of what was said before; nothing if the text is NULL. A toast's own title is cut at one line.
static inline void ui_say(gpointer overlay, const char *text) {
  AdwToast *last = (AdwToast *)g_object_get_data((GObject *)overlay, "last-toast");
  if (last) adw_toast_dismiss(last);
  g_object_set_data((GObject *)overlay, "last-toast", NULL);
  if (!text) return;
  AdwToast *toast = adw_toast_new("");
  GtkLabel *label = (GtkLabel *)gtk_label_new(text);
  gtk_label_set_wrap(label, TRUE);
  adw_toast_set_custom_title(toast, (GtkWidget *)label);
  g_object_set_data_full((GObject *)overlay, "last-toast", g_object_ref(toast), g_object_unref);
  adw_toast_overlay_add_toast((AdwToastOverlay *)overlay, toast);
}

static inline void ui_set_text(gpointer view, const char *text) {
  gtk_text_buffer_set_text(gtk_text_view_get_buffer((GtkTextView *)view), text, -1);
}

static inline gpointer ui_surface(gpointer window) { return gtk_native_get_surface((GtkNative *)window); }

// A dialog of the desktop's own, or GTK's where there is none.
static inline gpointer ui_save_dialog(gpointer window, const char *name) {
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new(
      "Save the report", (GtkWindow *)window, GTK_FILE_CHOOSER_ACTION_SAVE, "_Save", "_Cancel");
  gtk_file_chooser_set_current_name(GTK_FILE_CHOOSER(dialog), name);
  gtk_native_dialog_set_modal(GTK_NATIVE_DIALOG(dialog), TRUE);
  return dialog;
}

static inline void ui_show_dialog(gpointer dialog) { gtk_native_dialog_show((GtkNativeDialog *)dialog); }

// The path that was chosen, which the caller frees; NULL if there is none, as in a folder of another machine.
static inline char *ui_chosen_path(gpointer dialog) {
  GFile *file = gtk_file_chooser_get_file((GtkFileChooser *)dialog);
  char *path = file ? g_file_get_path(file) : NULL;
  g_clear_object(&file);
  return path;
}

// A shell that runs a script.
static inline GSubprocess *ui_start(const char *script, GError **error) {
  return g_subprocess_new(
      (GSubprocessFlags)(G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE), error, "/bin/sh", "-c", script,
      NULL);
}

// Writes a file as a whole, or not at all. The flags stay here: from version 2.88 on, Swift imports GLib's under other names.
static inline gboolean ui_save(const char *path, const char *text, GError **error) {
  GFileSetContentsFlags flags = G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE;
  return g_file_set_contents_full(path, text, -1, flags, 0644, error);
}

static inline gpointer ui_application(const char *name) {
  return adw_application_new(name, (GApplicationFlags)0);
}

// Runs the application until its window is closed.
static inline int ui_run(gpointer application) { return g_application_run((GApplication *)application, 0, NULL); }

static inline void ui_complain(const char *text) { g_printerr("%s", text); }
