import Testing

@Suite("The house") struct HouseTests {
  @Test("has manifests that agree with each other") func manifests() async throws {
    let root = try await House.manifest(of: ".")
    var packages: [String: Manifest] = [:]
    for package in try House.packages() { packages[package] = try await House.manifest(of: "Packages/\(package)") }

    var findings = drift(root: root, packages: packages) + dependenciesThatGoUp(in: packages)
    findings += targetsWithOtherSettings(in: root, file: "Package.swift", without: targetsInC)
    for (name, manifest) in packages {
      findings += targetsWithOtherSettings(in: manifest, file: "Packages/\(name)/Package.swift", without: targetsInC)
    }
    for finding in findings { Issue.record("\(finding)") }
  }

  /// These have no Swift settings.
  private let targetsInC: Set = ["AllocationCounter"]

  @Test("has only files that keep its rules") func sources() async throws {
    let files = try await House.files()
    var findings: [String] = []
    for path in files {
      guard let text = House.text(of: path) else { continue }
      findings += privatePaths(path, text)
      guard path.hasSuffix(".swift") || path.hasSuffix(".c") || path.hasPrefix("Scripts/") else { continue }
      findings += overlongFile(path, text)
      guard path.hasSuffix(".swift") else { continue }
      findings += forcedOperations(path, text) + unexplainedOptOuts(path, text)
    }
    for finding in findings { Issue.record("\(finding)") }
  }

  @Test("has packages that a stranger can use: README, documentation, tests", arguments: try House.packages())
  func completeness(package: String) async throws {
    let files = try await House.files().filter { $0.hasPrefix("Packages/\(package)/") }
    #expect(files.contains("Packages/\(package)/README.md"), "write Packages/\(package)/README.md")
    #expect(
      files.contains { $0.contains("/Sources/") && $0.contains(".docc/") && $0.hasSuffix(".md") },
      "add a DocC catalogue, Packages/\(package)/Sources/<target>/<target>.docc/<target>.md")
    #expect(
      files.contains { $0.contains("/Tests/") && $0.hasSuffix(".swift") },
      "add tests, Packages/\(package)/Tests/<target>Tests")
  }
}
