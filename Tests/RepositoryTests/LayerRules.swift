/// The settings of every Swift target, in this order.
let requiredSettings = [
  "swift swiftLanguageMode 6",
  "swift enableUpcomingFeature ExistentialAny",
  "swift enableUpcomingFeature InternalImportsByDefault",
  "swift enableUpcomingFeature MemberImportVisibility",
]

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

/// Returns a finding for each target whose settings differ from ``requiredSettings``, in content or in order.
///
/// - Parameter without: The names of targets in C, where Swift settings do not apply.
func targetsWithWrongSettings(in manifest: Manifest, file: String, without: Set<String>) -> [String] {
  manifest.targets
    .filter {
      !["plugin", "system"].contains($0.type) && !without.contains($0.name) && $0.settings != requiredSettings
    }
    .map { "\(file): give the target \($0.name) the common `swiftSettings: settings`; it has \($0.settings)" }
}

/// Returns a finding for each dependency on a package that is not in a lower layer.
func forbiddenDependencies(in packages: [String: Manifest], layers: [Set<String>] = layers) -> [String] {
  packages.sorted { $0.key < $1.key }.flatMap { folder, manifest -> [String] in
    guard let own = layers.firstIndex(where: { $0.contains(folder) }) else {
      return ["Tests/RepositoryTests/LayerRules.swift: add the package \(folder) to a layer in `layers`"]
    }
    let lower = layers[..<own].reduce(into: Set<String>()) { $0.formUnion($1) }
    return manifest.siblings.subtracting(lower).sorted().map {
      "Packages/\(folder)/Package.swift: remove the dependency on \($0), which is not in a lower layer than \(folder)"
    }
  }
}
