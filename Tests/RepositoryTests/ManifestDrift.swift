/// Returns one finding for each difference between the root manifest and the package manifests.
///
/// A finding names the file and the change to make.
///
/// - Parameters:
///   - root: The manifest at the root.
///   - packages: The package manifests by folder name.
///   - apps: The folders of the root's own targets.
func drift(root: Manifest, packages: [String: Manifest], apps: [String] = ["Apps/", "Tests/"]) -> [String] {
  let rootFile = "Package.swift"
  var found: [String] = []

  for sibling in root.siblings.sorted() {
    found.append("\(rootFile): remove the dependency on \(sibling); declare its targets by path instead")
  }
  for other in root.others { found.append("\(rootFile): remove the dependency `\(other)`") }

  for (folder, package) in packages.sorted(by: { $0.key < $1.key }) {
    let file = "Packages/\(folder)/Package.swift"
    if package.name != folder { found.append("\(file): change the name from \"\(package.name)\" to \"\(folder)\"") }
    for other in package.others {
      found.append("\(file): remove the dependency `\(other)`: only sibling packages by path are allowed")
    }
    found += difference(file, "the tools version", package.toolsVersion, root.toolsVersion)
    found += difference(file, "the platforms", package.platforms, root.platforms)

    for product in package.products {
      guard let twin = root.products.first(where: { $0.name == product.name }) else {
        found.append("\(rootFile): add the product \(product.name) of \(folder)")
        continue
      }
      found += difference(rootFile, "the type of the product \(product.name)", twin.type, product.type)
      found += difference(
        rootFile, "the targets of the product \(product.name)", Set(twin.targets), Set(product.targets))
    }
    for target in package.targets {
      guard let twin = root.targets.first(where: { $0.name == target.name }) else {
        found.append("\(rootFile): add the target \(target.name) of \(folder), with \(path(of: target, in: folder))")
        continue
      }
      found += drift(of: twin, from: target, in: folder)
    }
  }

  let products = Set(packages.values.flatMap { $0.products.map(\.name) })
  let targets = Set(packages.values.flatMap { $0.targets.map(\.name) })
  let own = root.targets.filter { target in apps.contains { target.path?.hasPrefix($0) == true } }.map(\.name)
  for target in root.targets where !targets.contains(target.name) && !own.contains(target.name) {
    found.append(
      "\(rootFile): remove the target \(target.name): no package declares it, and its path is not under \(apps)")
  }
  for product in root.products where !products.contains(product.name) && !own.contains(where: product.targets.contains)
  {
    found.append("\(rootFile): remove the product \(product.name): no package declares it")
  }
  return found
}

/// Returns the changes that one target of the root manifest needs.
private func drift(of twin: Manifest.Target, from target: Manifest.Target, in folder: String) -> [String] {
  let suffix = "of the target \(target.name)"
  func differs<Value: Equatable>(_ what: String, _ at: Value, _ wanted: Value) -> [String] {
    difference("Package.swift", "\(what) \(suffix)", at, wanted)
  }
  return differs("the path", twin.path, path(of: target, in: folder))
    + differs("the type", twin.type, target.type)
    + differs("the dependencies", twin.dependencies, target.dependencies)
    + differs("the settings", twin.settings, target.settings)
    + differs("the excluded files", twin.exclude, target.exclude)
    + differs("the resources", twin.resources, target.resources)
    + differs("the other attributes", twin.rest, target.rest)
}

/// The path that the root manifest must give for a package's target.
private func path(of target: Manifest.Target, in folder: String) -> String {
  let parent = ["plugin": "Plugins", "test": "Tests"][target.type] ?? "Sources"
  let within = target.path ?? "\(parent)/\(target.name)"
  return "Packages/\(folder)/\(within)"
}

private func difference<Value: Equatable>(_ file: String, _ what: String, _ at: Value, _ wanted: Value) -> [String] {
  at == wanted ? [] : ["\(file): change \(what) from \(shown(at)) to \(shown(wanted))"]
}

private func shown<Value>(_ value: Value) -> String {
  switch value {
  case let set as Set<String>: "\(set.sorted())"
  case let text as String?: "\"\(text ?? "")\""
  default: "\(value)"
  }
}
