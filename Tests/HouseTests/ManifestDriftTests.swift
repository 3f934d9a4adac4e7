import Testing

/// A small house that is in order, to bring out of order in one place at a time.
private let library = Manifest.Target(name: "Lib", type: "regular", dependencies: ["Low"], settings: houseSettings)

private let package = Manifest(
  name: "Lib", toolsVersion: "6.2.0", platforms: ["macos 15.0"], siblings: ["Low"],
  products: [.init(name: "Lib", type: "library automatic", targets: ["Lib"])],
  targets: [library, .init(name: "LibTests", type: "test", dependencies: ["Lib"], settings: houseSettings)])

private let root = Manifest(
  name: "House", toolsVersion: "6.2.0", platforms: ["macos 15.0"], siblings: [],
  products: [.init(name: "Lib", type: "library automatic", targets: ["Lib"])],
  targets: [
    .init(
      name: "Lib", type: "regular", path: "Packages/Lib/Sources/Lib", dependencies: ["Low"], settings: houseSettings),
    .init(
      name: "LibTests", type: "test", path: "Packages/Lib/Tests/LibTests", dependencies: ["Lib"],
      settings: houseSettings),
    .init(name: "app", type: "executable", path: "Apps/App/Sources", settings: houseSettings),
  ])

/// What is found when the root, or the package, is changed in one way.
private func found(
  root changeRoot: (inout Manifest) -> Void = { _ in }, package changePackage: (inout Manifest) -> Void = { _ in }
) -> [String] {
  var (root, package) = (root, package)
  changeRoot(&root)
  changePackage(&package)
  return drift(root: root, packages: ["Lib": package])
}

@Suite("Drift between the manifests") struct ManifestDriftTests {
  @Test("is not found where there is none") func none() { #expect(found().isEmpty) }

  @Test("is found in a product that only the package has") func missingProduct() {
    #expect(found(root: { $0.products = [] }) == ["Package.swift: add the product Lib of Lib"])
  }

  @Test("is found in a product that only the root has") func strayProduct() {
    let stray = Manifest.Product(name: "Old", type: "library automatic", targets: ["Old"])
    #expect(
      found(root: { $0.products.append(stray) }) == ["Package.swift: remove the product Old: no package has it"])
  }

  @Test("is found in a product's type and targets") func product() {
    #expect(
      found(root: { $0.products[0].type = "library dynamic" })
        == [
          #"Package.swift: change the type of the product Lib from "library dynamic" to "library automatic""#
        ])
    #expect(
      found(package: { $0.products[0].targets = ["Lib", "More"] })
        == [#"Package.swift: change the targets of the product Lib from ["Lib"] to ["Lib", "More"]"#])
  }

  @Test("is found in a target that only one has") func targets() {
    #expect(
      found(root: { $0.targets.remove(at: 1) })
        == ["Package.swift: add the target LibTests of Lib, with Packages/Lib/Tests/LibTests"])
    #expect(found(package: { $0.targets.remove(at: 1) }).first?.contains("remove the target LibTests") == true)
  }

  @Test("is found in every attribute of a target", arguments: changes)
  func attribute(change: Change) {
    let sentences = found(root: { change.make(&$0.targets[0]) })
    #expect(sentences.count == 1)
    #expect(sentences.first?.hasPrefix("Package.swift: change the \(change.name) of the target Lib from ") == true)
  }

  /// A way to bring a target out of order.
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
    Change(name: "rest") { $0.rest = "pkgConfig png" },
  ]

  @Test("is found in the tools version and the platforms") func versions() {
    #expect(
      found(package: { $0.toolsVersion = "6.1.0" })
        == [#"Packages/Lib/Package.swift: change the tools version from "6.1.0" to "6.2.0""#])
    #expect(
      found(package: { $0.platforms = [] })
        == [#"Packages/Lib/Package.swift: change the platforms from [] to ["macos 15.0"]"#])
  }

  @Test("is a dependency at the root, or one that is no sibling, or a wrong name") func dependencies() {
    #expect(found(root: { $0.siblings = ["Lib"] }).first?.contains("remove the dependency on Lib") == true)
    #expect(found(root: { $0.others = ["url"] }) == ["Package.swift: remove the dependency `url`"])
    #expect(found(package: { $0.others = ["url"] }).first?.hasPrefix("Packages/Lib/Package.swift: remove") == true)
    #expect(found(package: { $0.name = "Bil" }).first?.contains(#"name it "Lib""#) == true)
  }
}

@Suite("The rules for manifests") struct HouseRulesTests {
  @Test("find a target with other settings, and excuse those in C") func settings() {
    var manifest = package
    #expect(targetsWithOtherSettings(in: manifest, file: "P", without: []).isEmpty)
    manifest.targets[0].settings.swapAt(1, 2)
    #expect(targetsWithOtherSettings(in: manifest, file: "P", without: []).count == 1)
    #expect(targetsWithOtherSettings(in: manifest, file: "P", without: ["Lib"]).isEmpty)
  }

  @Test("find a dependency that goes up or sideways, and a package without a floor") func floors() {
    let floors: [Set<String>] = [["Low", "Lower"], ["Lib"]]
    #expect(dependenciesThatGoUp(in: ["Lib": package], floors: floors).isEmpty)
    #expect(
      dependenciesThatGoUp(
        in: ["Low": Manifest(name: "Low", toolsVersion: "", siblings: ["Lib", "Lower"])], floors: floors)
        == [
          "Packages/Low/Package.swift: remove the dependency on Lib, which is not below Low",
          "Packages/Low/Package.swift: remove the dependency on Lower, which is not below Low",
        ])
    #expect(dependenciesThatGoUp(in: ["New": package], floors: floors).first?.contains("where the package New") == true)
  }
}
