// SPDX-License-Identifier: Apache-2.0

// An app with rules of its own: Enter shows a film, which is for landscape, and Enter again dismisses it. The app has a main loop of
// its own, here poll(2), as it could be GTK's or Qt's: so it lets the main actor run whenever there is work.

import Glibc
import OrientationClient

final class Library: InterfaceOrientationView {}

final class Film: InterfaceOrientationView {
  let supportedInterfaceOrientations = InterfaceOrientationMask.landscape
  func interfaceOrientationDidChange(_ transition: InterfaceOrientationTransition) {
    print("the film is \(transition.to.name)")
  }
}

let film = Film()
let controller = InterfaceOrientationController(
  screen: OrientationDevice.current, application: "org.example.Film", root: Library())

var sources = [MainActorLoop.descriptor, STDIN_FILENO].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
while poll(&sources, 2, -1) >= 0 {
  if sources[0].revents != 0 { MainActorLoop.run() }
  guard sources[1].revents != 0 else { continue }
  // Not readLine(): it may take two lines at once, and poll(2) does not see the second.
  var key: UInt8 = 0
  guard read(STDIN_FILENO, &key, 1) > 0 else { break }
  guard key == UInt8(ascii: "\n") else { continue }
  if controller.presentedViews.isEmpty { controller.present(film) } else { controller.dismiss() }
}
