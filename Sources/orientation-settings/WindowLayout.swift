// SPDX-License-Identifier: Apache-2.0

/// The widgets of the window, in the language of GtkBuilder and of libadwaita 1.2.
///
/// What comes from the daemon is shown as text, never as markup.
let windowLayout = """
  <interface>
    <object class="AdwApplicationWindow" id="window">
      <property name="title">Screen rotation</property>
      <property name="default-width">900</property>
      <property name="default-height">620</property>
      <property name="width-request">300</property>
      <property name="height-request">300</property>
      <property name="content"><object class="GtkBox">
        <property name="orientation">vertical</property>
        <child><object class="AdwHeaderBar">
          <property name="title-widget"><object class="AdwWindowTitle" id="title">
            <property name="title">Screen rotation</property>
          </object></property>
        </object></child>
        <child><object class="AdwToastOverlay" id="toasts">
          <property name="vexpand">1</property>
          <property name="child"><object class="GtkStack" id="pages">
            <child><object class="GtkStackPage"><property name="name">unavailable</property>
              <property name="child"><object class="AdwStatusPage" id="unavailable">
                <property name="icon-name">dialog-information-symbolic</property>
                <property name="title">Waiting for orientationd</property>
              </object></property>
            </object></child>
            <child><object class="GtkStackPage"><property name="name">home</property>
              <property name="child">\(homeLayout)</property>
            </object></child>
            <child><object class="GtkStackPage"><property name="name">task</property>
              <property name="child">\(taskLayout)</property>
            </object></child>
          </object></property>
        </object></child>
      </object></property>
    </object>
  </interface>
  """

/// The picture and the rows, beside each other or one above the other.
private let homeLayout = """
  <object class="GtkBox" id="home">
    <child><object class="GtkBox">
      <property name="orientation">vertical</property>
      <property name="spacing">6</property>
      <property name="margin-top">12</property>
      <property name="margin-bottom">12</property>
      <property name="hexpand">1</property>
      <child><object class="GtkDrawingArea" id="picture">
        <property name="content-height">210</property>
        <property name="content-width">260</property>
        <property name="vexpand">1</property>
        <property name="accessible-role">img</property>
        <accessibility><property name="label">The tablet as it is held</property></accessibility>
      </object></child>
      <child><object class="GtkLabel" id="pose">
        <property name="wrap">1</property>
        <property name="justify">center</property>
        <property name="margin-start">12</property>
        <property name="margin-end">12</property>
        <style><class name="title-4"/></style>
      </object></child>
      <child><object class="GtkLabel" id="notice">
        <property name="wrap">1</property>
        <property name="justify">center</property>
        <property name="visible">0</property>
        <property name="margin-start">12</property>
        <property name="margin-end">12</property>
        <style><class name="dim-label"/></style>
      </object></child>
    </object></child>
    <child><object class="GtkScrolledWindow">
      <property name="hscrollbar-policy">never</property>
      <property name="vexpand">1</property>
      <property name="hexpand">1</property>
      <property name="child"><object class="AdwClamp">
        <property name="maximum-size">560</property>
        <property name="child"><object class="GtkBox">
          <property name="orientation">vertical</property>
          <property name="spacing">18</property>
          <property name="margin-top">12</property>
          <property name="margin-bottom">24</property>
          <property name="margin-start">12</property>
          <property name="margin-end">12</property>
          <child><object class="AdwPreferencesGroup">
            <property name="title">Rotation</property>
            <child><object class="AdwActionRow" id="lock-row">
              <property name="title">Rotation lock</property>
              <property name="subtitle">The screen stays as it is</property>
              <property name="use-markup">0</property>
              <property name="activatable-widget">lock</property>
              <child><object class="GtkSwitch" id="lock">
                <property name="valign">center</property>
                <accessibility><property name="label">Rotation lock</property></accessibility>
              </object></child>
            </object></child>
            \(row("screen-row", "Screen"))
          </object></child>
          <child><object class="AdwPreferencesGroup">
            <property name="title">Sensor</property>
            \(row("sensor-row", "Accelerometer"))
            \(row("warning-row", "Warning"))
            \(row("mounting-row", "Mounting"))
          </object></child>
          <child><object class="AdwPreferencesGroup">
            <property name="title">If the screen turns the wrong way</property>
            \(row("calibrate", "Calibrate", opens: "Three poses show how the sensor is mounted"))
            \(row("report", "Save a report", opens: "For those who can help: no serial numbers, nothing is sent"))
          </object></child>
        </object></property>
      </object></property>
    </object></child>
  </object>
  """

/// A row with a text below its title.
private func row(_ name: String, _ title: String, opens subtitle: String? = nil) -> String {
  """
  <child><object class="AdwActionRow" id="\(name)">
    <property name="title">\(title)</property>
    <property name="subtitle">\(subtitle ?? "")</property>
    <property name="subtitle-lines">0</property>
    <property name="use-markup">0</property>
    \(subtitle == nil
    ? ""
    : """
      <property name="activatable">1</property>
      <child type="suffix"><object class="GtkImage">
        <property name="icon-name">go-next-symbolic</property>
        <property name="accessible-role">presentation</property>
      </object></child>
      """)
  </object></child>
  """
}

/// One step of what takes several: a picture or a text, what to do, and two buttons.
private let taskLayout = """
  <object class="GtkBox" id="task">
    <property name="orientation">vertical</property>
    <property name="spacing">12</property>
    <property name="margin-top">12</property>
    <property name="margin-bottom">18</property>
    <property name="margin-start">18</property>
    <property name="margin-end">18</property>
    <child><object class="GtkDrawingArea" id="task-picture">
      <property name="content-height">120</property>
      <property name="vexpand">1</property>
      <property name="accessible-role">img</property>
      <accessibility><property name="label">The tablet in this pose</property></accessibility>
    </object></child>
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
    \(label("task-title", "title-2"))
    \(label("task-text", "body"))
    \(label("task-problem", "error"))
    \(label("task-time", "dim-label"))
    <child><object class="GtkProgressBar" id="task-progress">
      <accessibility><property name="label">Time</property></accessibility>
    </object></child>
    <child><object class="GtkBox">
      <property name="spacing">12</property>
      <property name="halign">center</property>
      \(button("task-secondary", "pill"))
      \(button("task-primary", "pill suggested-action"))
    </object></child>
  </object>
  """

private func label(_ name: String, _ style: String) -> String {
  """
  <child><object class="GtkLabel" id="\(name)">
    <property name="wrap">1</property>
    <property name="justify">center</property>
    <property name="max-width-chars">60</property>
    <style><class name="\(style)"/></style>
  </object></child>
  """
}

private func button(_ name: String, _ styles: String) -> String {
  """
  <child><object class="GtkButton" id="\(name)">
    <property name="height-request">48</property>
    <property name="width-request">120</property>
    <style>\(styles.split(separator: " ").map { "<class name=\"\($0)\"/>" }.joined())</style>
  </object></child>
  """
}
