import Testing

/// Returns a finding for each declaration of a package that the root manifest lacks or has differently, and the reverse.
///
/// - Parameters:
///   - root: The manifest at the root.
///   - packages: The package manifests by folder name.
func drift(root: Manifest, packages: [String: Manifest]) -> [String] {
  let declared = declarations(of: root) { $0.path ?? "" }
  // The root's own targets are in Apps and Tests.
  let own = Set(root.targets.filter { $0.path?.hasPrefix("Packages/") != true }.map(\.name))
  var surplus = Set(
    root.targets.filter { !own.contains($0.name) }.map { "target \($0.name)" }
      + root.products.filter { own.isDisjoint(with: $0.targets) }.map { "product \($0.name)" })
  var findings = root.siblings.map { "Package.swift: remove the dependency \($0); declare its targets by path" }

  for (folder, package) in packages.sorted(by: { $0.key < $1.key }) {
    let wanted = declarations(of: package) { target in
      let parent = ["plugin": "Plugins", "test": "Tests"][target.type] ?? "Sources"
      return "Packages/\(folder)/" + (target.path ?? "\(parent)/\(target.name)")
    }
    for (name, attributes) in wanted.sorted(by: { $0.key < $1.key }) {
      surplus.remove(name)
      guard let found = declared[name] else {
        findings.append("Package.swift: add the \(name) of \(folder): \(attributes)")
        continue
      }
      for (attribute, value) in attributes.sorted(by: { $0.key < $1.key }) where found[attribute] != value {
        findings.append(
          "Package.swift: change \(attribute) of the \(name) from \(found[attribute] ?? "nothing") to \(value), as in \(folder)"
        )
      }
    }
  }
  return findings + surplus.sorted().map { "Package.swift: remove the \($0), which no package declares" }
}

/// Returns the attributes of each product and target, and of the package, as text.
private func declarations(of manifest: Manifest, path: (Manifest.Target) -> String) -> [String: [String: String]] {
  var all = ["package": ["platforms": "\(manifest.platforms)", "toolsVersion": "\(manifest.toolsVersion)"]]
  for product in manifest.products {
    all["product \(product.name)"] = ["targets": "\(product.targets.sorted())", "type": "\(product.type)"]
  }
  for target in manifest.targets {
    all["target \(target.name)"] = [
      "type": target.type, "path": path(target), "dependencies": "\(target.dependencyNames.sorted())",
      "settings": "\(target.settings)", "exclude": "\(target.exclude.sorted())", "resources": "\(target.resources)",
      "pkgConfig": "\(target.pkgConfig ?? "")", "providers": "\(target.providers ?? .null)",
      "pluginCapability": "\(target.pluginCapability ?? .null)", "publicHeadersPath": target.publicHeadersPath ?? "",
    ]
  }
  return all
}

/// The layers, lowest first.
///
/// A package depends only on packages of lower layers. A package that is not listed is a finding, so that each new package gets a layer.
let layers: [Set<String>] = [
  ["TestSupport"],
  ["Loopback", "Parallel", "Terminal"],
  ["Futures", "Snapshotting"],
  ["Coordinators", "OrderTaking"],
  ["Boundaries"],
]

/// Returns a finding for each dependency on something else than a package in a lower layer.
func forbiddenDependencies(in packages: [String: Set<String>]) -> [String] {
  packages.sorted { $0.key < $1.key }.flatMap { folder, siblings -> [String] in
    guard let own = layers.firstIndex(where: { $0.contains(folder) }) else {
      return ["Tests/RepositoryTests/ManifestTests.swift: add the package \(folder) to a layer in `layers`"]
    }
    let lower = layers[..<own].reduce(into: Set<String>()) { $0.formUnion($1) }
    return siblings.subtracting(lower).sorted().map {
      "Packages/\(folder)/Package.swift: remove the dependency on \($0), which is not in a lower layer than \(folder)"
    }
  }
}

@Suite("Manifests") struct ManifestTests {
  @Test("the manifests agree, depend only on lower layers, and give all targets the same settings")
  func manifests() throws {
    let root = try Repository.manifest(of: ".")
    let packages = Dictionary(
      uniqueKeysWithValues: try Repository.packages().map { ($0, try Repository.manifest(of: "Packages/\($0)")) })
    var findings = drift(root: root, packages: packages) + forbiddenDependencies(in: packages.mapValues(\.siblings))

    let sources = try Repository.files().filter { $0.hasSuffix(".swift") }
    let settings = root.targets.first { $0.name == "Parallel" }?.settings
    for target in root.targets where target.settings != settings && target.type != "plugin" {
      guard let path = target.path, sources.contains(where: { $0.hasPrefix(path + "/") }) else { continue }
      findings.append("Package.swift: give the target \(target.name) the common `swiftSettings: settings`")
    }
    for finding in findings { Issue.record("\(finding)") }
  }
}
