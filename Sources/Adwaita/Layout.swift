// SPDX-License-Identifier: Apache-2.0

// Pieces of a window's layout, in the language of GtkBuilder and of libadwaita 1.2. Each but a box is a child with its tag.

/// A page of a stack.
package func page(_ name: String, _ child: String) -> String {
  """
  <child><object class="GtkStackPage">
    <property name="name">\(name)</property>
    <property name="child">\(child)</property>
  </object></child>
  """
}

/// A vertical box, without the tag of a child.
///
/// - Parameters:
///   - name: its name; empty for none.
///   - spacing: between the children, in pixels.
///   - margin: around it, in pixels.
///   - children: with their tags.
/// - Returns: the box.
package func box(_ name: String = "", spacing: Int = 0, margin: Int = 0, children: String) -> String {
  let margins = ["top", "bottom", "start", "end"].map {
    "<property name=\"margin-\($0)\">\(margin)</property>"
  }
  return """
    <object class="GtkBox"\(name.isEmpty ? "" : " id=\"\(name)\"")>
      <property name="orientation">vertical</property>
      <property name="spacing">\(spacing)</property>
      \(margins.joined())
      \(children)
    </object>
    """
}

/// What is drawn, with what a screen reader calls it, and how high it is at least, in pixels.
package func picture(_ name: String, _ title: String, height: Int) -> String {
  """
  <child><object class="GtkDrawingArea" id="\(name)">
    <property name="content-height">\(height)</property>
    <property name="content-width">120</property>
    <property name="hexpand">1</property>
    <property name="vexpand">1</property>
    <property name="accessible-role">img</property>
    <accessibility><property name="label">\(title)</property></accessibility>
  </object></child>
  """
}

/// What scrolls up and down where there is less room than it needs.
package func scrolled(_ child: String) -> String {
  """
  <child><object class="GtkScrolledWindow">
    <property name="hscrollbar-policy">never</property>
    <property name="propagate-natural-height">1</property>
    <property name="hexpand">1</property>
    <property name="vexpand">1</property>
    <property name="child">\(child)</property>
  </object></child>
  """
}

/// A text of several lines in a style of libadwaita.
package func label(_ name: String, _ style: String) -> String {
  """
  <child><object class="GtkLabel" id="\(name)">
    <property name="wrap">1</property>
    <property name="justify">center</property>
    <property name="max-width-chars">60</property>
    <style><class name="\(style)"/></style>
  </object></child>
  """
}

/// A large button in a style of libadwaita.
package func button(_ name: String, _ style: String) -> String {
  """
  <child><object class="GtkButton" id="\(name)">
    <property name="height-request">48</property>
    <property name="width-request">120</property>
    <style><class name="pill"/><class name="\(style)"/></style>
  </object></child>
  """
}

/// Rows below a title and what is to be known of them.
package func group(_ title: String, _ rows: String, description: String = "") -> String {
  """
  <child><object class="AdwPreferencesGroup">
    <property name="title">\(title)</property>
    <property name="description">\(description)</property>
    \(rows)
  </object></child>
  """
}

/// A row with a text below its title; with a subtitle, a press on it opens something.
package func row(_ name: String, _ title: String, opens subtitle: String? = nil) -> String {
  """
  <child><object class="AdwActionRow" id="\(name)">
    <property name="title">\(title)</property>
    <property name="subtitle">\(subtitle ?? "")</property>
    <property name="subtitle-lines">0</property>
    <property name="use-markup">0</property>
    <property name="activatable">\(subtitle == nil ? 0 : 1)</property>
    <child type="suffix"><object class="GtkImage">
      <property name="icon-name">go-next-symbolic</property>
      <property name="accessible-role">presentation</property>
      <property name="visible">\(subtitle == nil ? 0 : 1)</property>
    </object></child>
  </object></child>
  """
}
