// SPDX-License-Identifier: Apache-2.0

// The widgets of the window, in the language of GtkBuilder and of libadwaita 1.2. What comes from the daemon is shown as text, never as markup.

import Adwaita

/// The window.
let windowLayout = """
  <interface>
    <object class="AdwApplicationWindow" id="window">
      <property name="title">Screen rotation</property>
      <property name="default-width">900</property>
      <property name="default-height">620</property>
      <property name="width-request">300</property>
      <property name="height-request">300</property>
      <property name="content">\(box(children: """
        <child><object class="AdwHeaderBar"/></child>
        <child><object class="AdwToastOverlay" id="toasts">
          <property name="vexpand">1</property>
          <property name="child"><object class="GtkStack" id="pages">
            \(page("unavailable", waitingLayout)) \(page("home", homeLayout)) \(page("task", taskLayout))
          </object></property>
        </object></child>
        """))</property>
    </object>
  </interface>
  """

private let waitingLayout = """
  <object class="AdwStatusPage" id="unavailable">
    <property name="icon-name">dialog-information-symbolic</property>
    <property name="title">Waiting for orientationd</property>
  </object>
  """

/// The picture and the rows, beside each other or one above the other.
private let homeLayout = box(
  "home",
  children: """
    <child>\(box(spacing: 6, margin: 12, children: """
      \(picture("picture", "The tablet as it is held", height: 120)) \(label("pose", "title-4")) \(label("notice", "dim-label"))
      """))</child>
    \(scrolled("""
      <object class="AdwClamp">
        <property name="maximum-size">560</property>
        <property name="child">\(box(spacing: 18, margin: 12, children: """
          \(group("Rotation", lockRow + responsivenessRow + row("screen-row", "Screen")))
          \(group("If the screen turns the wrong way",
            row("calibrate", "Calibrate", opens: "Three poses show how the sensor sits in the tablet")
            + row("forget", "Forget the calibration", opens: "As before it was calibrated here")
            + row("report", "Save a report", opens: "For those who can help: no serial numbers, nothing is sent"),
            description: "Does the picture stand as you hold the tablet? If not, calibrate. If it does, save a report."))
          \(group("Sensor",
            row("sensor-row", "Accelerometer") + row("warning-row", "Warning")
            + row("mounting-row", "How it sits in the tablet")))
          """))</property>
      </object>
      """))
    """)

private let lockRow = """
  <child><object class="AdwActionRow" id="lock-row">
    <property name="title">Rotation lock</property>
    <property name="activatable-widget">lock</property>
    <child><object class="GtkSwitch" id="lock">
      <property name="valign">center</property>
      <accessibility><property name="label">Rotation lock</property></accessibility>
    </object></child>
  </object></child>
  """

/// The choices are those of `Responsiveness`, in its order.
private let responsivenessRow = """
  <child><object class="AdwComboRow" id="responsiveness">
    <property name="title">How readily it turns</property>
    <property name="subtitle">For all who use this tablet</property>
    <property name="model"><object class="GtkStringList">
      <items><item>Calm</item><item>Normal</item><item>Quick</item></items>
    </object></property>
  </object></child>
  """

/// One step of what takes several: a picture or a text, what to do, and two buttons, which are always there.
private let taskLayout = box(
  "task", spacing: 12, margin: 12,
  children: """
    <child>\(box("task-body", spacing: 12, children: """
      \(picture("task-picture", "The tablet in this pose", height: 60))
      <child><object class="GtkScrolledWindow" id="task-report">
        <property name="vexpand">1</property>
        <property name="child"><object class="GtkTextView" id="task-report-text">
          <property name="editable">0</property>
          <property name="cursor-visible">0</property>
          <property name="monospace">1</property>
          <property name="left-margin">12</property>
          <property name="top-margin">12</property>
          <accessibility><property name="label">The report</property></accessibility>
        </object></property>
        <style><class name="card"/></style>
      </object></child>
      \(scrolled(box(spacing: 12, children: """
          \(label("task-title", "title-2")) \(label("task-text", "body")) \(label("task-problem", "error"))
          """)))
      """))</child>
    \(label("task-time", "dim-label"))
    <child><object class="GtkProgressBar" id="task-progress">
      <accessibility><property name="label">Time</property></accessibility>
    </object></child>
    <child><object class="GtkBox">
      <property name="spacing">12</property>
      <property name="halign">center</property>
      \(button("task-secondary", "pill")) \(button("task-primary", "suggested-action"))
    </object></child>
    """)
