// SPDX-License-Identifier: Apache-2.0

import TabletPicture

// This folder: the moving picture of the tablet in a terminal. What is shown is a PictureState; `frame(columns:rows:range:)`
// draws it into a grid of characters, which is pure and needs no terminal. FrameWriter turns the difference of two grids into
// escape sequences, and PictureTerminal is the terminal itself.

/// What a picture shows: the tablet, and text beside it.
struct PictureState: Equatable {
  /// A part of the column beside the tablet.
  enum Part: Equatable {
    /// A name with its value, and a second line if there is room.
    case field(String, String, Ink, detail: String = "")
    /// A bar, from empty to full.
    case bar(Double, Ink)
    /// The spirit level.
    case level(BubbleLevel)
    /// A text of some lines; a small terminal has no room for it.
    case note(String, Ink)
  }

  /// A key, and what it does.
  struct Key: Equatable {
    let name: String
    let action: String
  }

  /// The tablet.
  var tablet = TabletView()
  /// What is beside it, from the top; what comes last is left out first.
  var parts: [Part] = []
  /// What the user must know now; empty if there is nothing.
  var message = ""
  /// The keys that are explained in the last line.
  var keys: [Key] = []
}
