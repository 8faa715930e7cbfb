// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TabletPicture

@Suite("The surfaces of the tablet in a picture")
struct TabletSurfacesTests {
  private let camera = Camera(width: 200, height: 200, hasFloor: false)

  /// What is seen of a tablet with this direction up.
  private func surfaces(up: SIMD3<Double>, interfaceAngle: Double? = 0) -> [TabletSurface] {
    var view = TabletView()
    view.attitude = Attitude(up: up)
    view.interfaceAngle = interfaceAngle
    return view.surfaces(by: camera)
  }

  private func corners(_ part: TabletSurface.Part, of surfaces: [TabletSurface]) -> [SIMD2<Double>] {
    surfaces.first { $0.part == part }?.corners ?? []
  }

  @Test("All of it is within the canvas, however it is held")
  func withinCanvas() {
    for up in [SIMD3(0, 1, 0), SIMD3(1, 0, 0), SIMD3(0, 0, 1), SIMD3(0, 0, -1), SIMD3(0.6, -0.5, 0.6)] {
      let corners = surfaces(up: up).flatMap(\.corners)
      #expect(corners.allSatisfy { (0...200).contains($0.x) && (0...200).contains($0.y) })
    }
  }

  @Test(
    "The arrow points up if what is on the screen is upright",
    arguments: [
      (SIMD3(0.0, 1, 0), 0.0), (SIMD3(-1.0, 0, 0), -Double.pi / 2), (SIMD3(1.0, 0, 0), Double.pi / 2),
    ])
  func arrow(up: SIMD3<Double>, interfaceAngle: Double) throws {
    let arrow = corners(.arrow, of: surfaces(up: up, interfaceAngle: interfaceAngle))
    let tip = try #require(arrow.first)
    #expect(arrow.dropFirst().allSatisfy { tip.y < $0.y })
  }

  @Test("From behind, there are the back and its lens, and no screen")
  func behind() {
    let parts = surfaces(up: SIMD3(0, 0, -1)).map(\.part).filter { $0 != .edge }
    #expect(parts == [.back, .backLens])
  }

  @Test("If it is not known what is on the screen, nothing is")
  func unknown() {
    let parts = surfaces(up: SIMD3(0, 1, 0), interfaceAngle: nil).map(\.part).filter { $0 != .edge }
    #expect(parts == [.front, .screen])
  }
}
