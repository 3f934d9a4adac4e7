/// The settings that every Swift target has, in this order.
let houseSettings = [
  "swift swiftLanguageMode 6",
  "swift enableUpcomingFeature ExistentialAny",
  "swift enableUpcomingFeature InternalImportsByDefault",
  "swift enableUpcomingFeature MemberImportVisibility",
]

/// The floors of the house: a package may depend only on those of lower floors.
///
/// A package that is not listed is a finding, so that whoever adds one decides where it stands.
let floors: [Set<String>] = [
  ["Loopback", "Parallel", "Terminal"],
  ["Futures", "Snapshotting"],
  ["Coordinators", "OrderTaking"],
  ["Boundaries"],
]

/// Targets that lack the house's settings, have others, or have them in another order.
///
/// Targets in C and system libraries have no Swift settings: those are the ones named.
func targetsWithOtherSettings(in manifest: Manifest, file: String, without: Set<String>) -> [String] {
  manifest.targets
    .filter { $0.type != "system" && !without.contains($0.name) && $0.settings != houseSettings }
    .map { "\(file): give the target \($0.name) `swiftSettings: settings`, the house's list; it has \($0.settings)" }
}

/// Dependencies that do not go down.
func dependenciesThatGoUp(in packages: [String: Manifest], floors: [Set<String>] = floors) -> [String] {
  packages.sorted { $0.key < $1.key }.flatMap { folder, manifest -> [String] in
    guard let own = floors.firstIndex(where: { $0.contains(folder) }) else {
      return ["Tests/HouseTests/HouseRules.swift: say in `floors` where the package \(folder) stands"]
    }
    let below = floors[..<own].reduce(into: Set<String>()) { $0.formUnion($1) }
    return manifest.siblings.subtracting(below).sorted().map {
      "Packages/\(folder)/Package.swift: remove the dependency on \($0), which is not below \(folder)"
    }
  }
}
