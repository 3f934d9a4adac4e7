import Foundation
import SnapshotAssertions
import Testing

@Suite("The drawing of the house") struct DrawingTests {
  static let folder = House.root.appending(path: "Packages/Boundaries/Sources/Boundaries/Boundaries.docc/Resources")
    .path

  @Test("in the documentation shows what the manifests say") func isCurrent() async throws {
    var packages: [String: Manifest] = [:]
    for package in try House.packages() { packages[package] = try await House.manifest(of: "Packages/\(package)") }
    let failure = verifySnapshot(
      of: Drawing(of: packages, floors: floors).svg, as: Snapshotting(pathExtension: "svg", diffing: .lines),
      named: "floors", snapshotDirectory: Self.folder, testName: "packages")
    #expect(failure == nil)
  }

  @Test("has a box for each package with what else it sells, and an arrow for each dependency") func parts() {
    let parallel = Manifest(
      name: "Parallel", toolsVersion: "6.2",
      products: [
        Manifest.Product(name: "Parallel", type: "library automatic", targets: []),
        Manifest.Product(name: "Isolation", type: "library automatic", targets: []),
        Manifest.Product(name: "tool", type: "executable", targets: []),
      ])
    let futures = Manifest(name: "Futures", toolsVersion: "6.2", siblings: ["Parallel"])
    let svg = Drawing(of: ["Parallel": parallel, "Futures": futures], floors: [["Parallel"], ["Futures"]]).svg
    #expect(svg.matches(of: /<rect x=/).count == 2)
    #expect(svg.matches(of: /<path d="M\d+ \d+ C/).count == 1)
    #expect(svg.contains(">Isolation</text>"))
    #expect(svg.matches(of: />Parallel<\/text>/).count == 1)
    #expect(!svg.contains("tool"))
  }

  @Test("leaves out the arrows that others imply") func implied() {
    let packages = [
      "Top": Manifest(name: "Top", toolsVersion: "6.2", siblings: ["Middle", "Ground"]),
      "Middle": Manifest(name: "Middle", toolsVersion: "6.2", siblings: ["Ground"]),
      "Ground": Manifest(name: "Ground", toolsVersion: "6.2"),
    ]
    let svg = Drawing(of: packages, floors: [["Ground"], ["Middle"], ["Top"]]).svg
    #expect(svg.matches(of: /<path d="M\d+ \d+ C/).count == 2)
  }
}
