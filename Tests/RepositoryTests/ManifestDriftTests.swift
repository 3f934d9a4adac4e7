import Testing

// A small repository without findings. Each test changes it in one place.
private let library = Manifest.Target(name: "Lib", type: "regular", dependencies: ["Low"], settings: requiredSettings)

private let package = Manifest(
  name: "Lib", toolsVersion: "6.2.0", platforms: ["macos 15.0"], siblings: ["Low"],
  products: [.init(name: "Lib", type: "library automatic", targets: ["Lib"])],
  targets: [library, .init(name: "LibTests", type: "test", dependencies: ["Lib"], settings: requiredSettings)])

private let root = Manifest(
  name: "Root", toolsVersion: "6.2.0", platforms: ["macos 15.0"], siblings: [],
  products: [.init(name: "Lib", type: "library automatic", targets: ["Lib"])],
  targets: [
    .init(
      name: "Lib", type: "regular", path: "Packages/Lib/Sources/Lib", dependencies: ["Low"], settings: requiredSettings),
    .init(
      name: "LibTests", type: "test", path: "Packages/Lib/Tests/LibTests", dependencies: ["Lib"],
      settings: requiredSettings),
    .init(name: "app", type: "executable", path: "Apps/App/Sources", settings: requiredSettings),
  ])

/// Returns the findings after a change of the root manifest or of the package manifest.
private func found(
  root changeRoot: (inout Manifest) -> Void = { _ in }, package changePackage: (inout Manifest) -> Void = { _ in }
) -> [String] {
  var (root, package) = (root, package)
  changeRoot(&root)
  changePackage(&package)
  return drift(root: root, packages: ["Lib": package])
}

@Suite("Manifest drift") struct ManifestDriftTests {
  @Test("manifests that agree lead to zero findings") func agreeingManifests() { #expect(found().isEmpty) }

  @Test("a product that only the package declares must be added to the root") func missingProduct() {
    #expect(found(root: { $0.products = [] }) == ["Package.swift: add the product Lib of Lib"])
  }

  @Test("a product that only the root declares must be removed") func strayProduct() {
    let stray = Manifest.Product(name: "Old", type: "library automatic", targets: ["Old"])
    #expect(
      found(root: { $0.products.append(stray) }) == ["Package.swift: remove the product Old: no package declares it"])
  }

  @Test("a product's type and targets must be the same in both manifests") func productAttributes() {
    #expect(
      found(root: { $0.products[0].type = "library dynamic" })
        == [
          #"Package.swift: change the type of the product Lib from "library dynamic" to "library automatic""#
        ])
    #expect(
      found(package: { $0.products[0].targets = ["Lib", "More"] })
        == [#"Package.swift: change the targets of the product Lib from ["Lib"] to ["Lib", "More"]"#])
  }

  @Test("a target in only one manifest is a finding") func missingAndStrayTargets() {
    #expect(
      found(root: { $0.targets.remove(at: 1) })
        == ["Package.swift: add the target LibTests of Lib, with Packages/Lib/Tests/LibTests"])
    #expect(found(package: { $0.targets.remove(at: 1) }).first?.contains("remove the target LibTests") == true)
  }

  @Test("every attribute of a target must be the same in both manifests", arguments: changes)
  func targetAttributes(change: Change) {
    let sentences = found(root: { change.make(&$0.targets[0]) })
    #expect(sentences.count == 1)
    #expect(sentences.first?.hasPrefix("Package.swift: change the \(change.name) of the target Lib from ") == true)
  }

  /// A change of one attribute of a target.
  struct Change: Sendable, CustomStringConvertible {
    var name: String
    var make: @Sendable (inout Manifest.Target) -> Void
    var description: String { name }
  }

  static let changes = [
    Change(name: "path") { $0.path = "Packages/Lib/Sources/Other" },
    Change(name: "type") { $0.type = "executable" },
    Change(name: "dependencies") { $0.dependencies = [] },
    Change(name: "settings") { $0.settings.removeLast() },
    Change(name: "excluded files") { $0.exclude = ["A.md"] },
    Change(name: "resources") { $0.resources = ["copy B"] },
    Change(name: "other attributes") { $0.rest = "pkgConfig png" },
  ]

  @Test("the tools version and the platforms must be the same in both manifests") func toolsVersionAndPlatforms() {
    #expect(
      found(package: { $0.toolsVersion = "6.1.0" })
        == [#"Packages/Lib/Package.swift: change the tools version from "6.1.0" to "6.2.0""#])
    #expect(
      found(package: { $0.platforms = [] })
        == [#"Packages/Lib/Package.swift: change the platforms from [] to ["macos 15.0"]"#])
  }

  @Test("a dependency of the root, a dependency on a non-sibling and a wrong package name are findings")
  func dependenciesAndPackageName() {
    #expect(found(root: { $0.siblings = ["Lib"] }).first?.contains("remove the dependency on Lib") == true)
    #expect(found(root: { $0.others = ["url"] }) == ["Package.swift: remove the dependency `url`"])
    #expect(found(package: { $0.others = ["url"] }).first?.hasPrefix("Packages/Lib/Package.swift: remove") == true)
    #expect(found(package: { $0.name = "Bil" }).first?.contains(#"change the name from "Bil" to "Lib""#) == true)
  }
}

@Suite("Layer rules") struct LayerRulesTests {
  @Test("a target with other settings is a finding, except a target in C") func targetSettings() {
    var manifest = package
    #expect(targetsWithWrongSettings(in: manifest, file: "P", without: []).isEmpty)
    manifest.targets[0].settings.swapAt(1, 2)
    #expect(targetsWithWrongSettings(in: manifest, file: "P", without: []).count == 1)
    #expect(targetsWithWrongSettings(in: manifest, file: "P", without: ["Lib"]).isEmpty)
  }

  @Test("a dependency on the same or a higher layer and a package without a layer are findings")
  func layerOfDependencies() {
    let layers: [Set<String>] = [["Low", "Lower"], ["Lib"]]
    #expect(forbiddenDependencies(in: ["Lib": package], layers: layers).isEmpty)
    #expect(
      forbiddenDependencies(
        in: ["Low": Manifest(name: "Low", toolsVersion: "", siblings: ["Lib", "Lower"])], layers: layers)
        == [
          "Packages/Low/Package.swift: remove the dependency on Lib, which is not in a lower layer than Low",
          "Packages/Low/Package.swift: remove the dependency on Lower, which is not in a lower layer than Low",
        ])
    #expect(
      forbiddenDependencies(in: ["New": package], layers: layers).first?.contains("add the package New to a layer")
        == true)
  }
}
