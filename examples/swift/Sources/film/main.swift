// SPDX-License-Identifier: Apache-2.0

// An app with rules of its own: Enter shows a film, which is for landscape, and Enter again dismisses it. The app has a main loop of
// its own, here poll(2), as it could be GTK's or Qt's: so it lets the main actor run whenever Dispatch says that there is work.

import Dispatch
import Glibc
import OrientationClient

@_silgen_name("_dispatch_get_main_queue_handle_4CF") func mainQueueDescriptor() -> Int32
@_silgen_name("_dispatch_main_queue_callback_4CF") func runMainQueue(_ unused: UnsafeMutableRawPointer?)

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

var sources = [mainQueueDescriptor(), STDIN_FILENO].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
while poll(&sources, 2, -1) >= 0 {
  if sources[0].revents != 0 { runMainQueue(nil) }
  guard sources[1].revents != 0 else { continue }
  guard readLine() != nil else { break }
  if controller.presentedViews.isEmpty { controller.present(film) } else { controller.dismiss() }
}
