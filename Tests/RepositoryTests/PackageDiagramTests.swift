import Foundation
import SnapshotAssertions
import Testing

@Suite("Package diagram") struct PackageDiagramTests {
  static let folder = Repository.root
    .appending(path: "Packages/Boundaries/Sources/Boundaries/Boundaries.docc/Resources").path

  @Test("the package diagram in the documentation matches the manifests") func diagramMatchesManifests() async throws {
    let packages = try await Repository.packageManifests.value
    let failure = verifySnapshot(
      of: PackageDiagram(of: packages, layers: layers).svg, as: Snapshotting(pathExtension: "svg", diffing: .lines),
      named: "layers", snapshotDirectory: Self.folder, testName: "packages")
    #expect(failure == nil)
  }

  @Test("the package diagram has a box for each package with its other libraries, and an arrow for each dependency")
  func boxesAndArrows() {
    let parallel = Manifest(
      name: "Parallel", toolsVersion: "6.2",
      products: [
        Manifest.Product(name: "Parallel", type: "library automatic", targets: []),
        Manifest.Product(name: "Isolation", type: "library automatic", targets: []),
        Manifest.Product(name: "tool", type: "executable", targets: []),
      ])
    let futures = Manifest(name: "Futures", toolsVersion: "6.2", siblings: ["Parallel"])
    let svg = PackageDiagram(of: ["Parallel": parallel, "Futures": futures], layers: [["Parallel"], ["Futures"]]).svg
    #expect(svg.matches(of: /<rect x=/).count == 2)
    #expect(svg.matches(of: /<path d="M\d+ \d+ C/).count == 1)
    #expect(svg.contains(">Isolation</text>"))
    #expect(svg.matches(of: />Parallel<\/text>/).count == 1)
    #expect(!svg.contains("tool"))
  }

  @Test("the package diagram omits indirect dependencies") func indirectDependencies() {
    let packages = [
      "Top": Manifest(name: "Top", toolsVersion: "6.2", siblings: ["Middle", "Ground"]),
      "Middle": Manifest(name: "Middle", toolsVersion: "6.2", siblings: ["Ground"]),
      "Ground": Manifest(name: "Ground", toolsVersion: "6.2"),
    ]
    let svg = PackageDiagram(of: packages, layers: [["Ground"], ["Middle"], ["Top"]]).svg
    #expect(svg.matches(of: /<path d="M\d+ \d+ C/).count == 2)
  }
}
