import Testing

@Suite("Repository") struct RepositoryTests {
  @Test("the root manifest and the package manifests agree") func manifestsAgree() async throws {
    let root = try await Repository.manifest(of: ".")
    let packages = try await Repository.packageManifests.value

    var findings = drift(root: root, packages: packages) + forbiddenDependencies(in: packages)
    findings += targetsWithWrongSettings(in: root, file: "Package.swift", without: targetsInC)
    for (name, manifest) in packages {
      findings += targetsWithWrongSettings(in: manifest, file: "Packages/\(name)/Package.swift", without: targetsInC)
    }
    for finding in findings { Issue.record("\(finding)") }
  }

  private let targetsInC: Set = ["AllocationCounter", "CPNGDecoder", "CurlBaseline"]

  @Test("no file has too many lines, a path of one machine, a forced unwrap or an opt-out without a comment")
  func filesKeepRules() async throws {
    let files = try await Repository.files()
    var findings: [String] = []
    for path in files {
      guard let text = Repository.text(of: path) else { continue }
      findings += machineSpecificPaths(path, text)
      guard path.hasSuffix(".swift") || path.hasSuffix(".c") || path.hasPrefix("Scripts/") else { continue }
      findings += oversizedFile(path, text)
      guard path.hasSuffix(".swift") else { continue }
      findings += forcedOperations(path, text) + uncommentedOptOuts(path, text) + testLibraries(path, text)
      findings += oversizedDurations(path, text)
    }
    for finding in findings { Issue.record("\(finding)") }
  }

  @Test("every package has a README, documentation and tests", arguments: try Repository.packages())
  func packageIsComplete(package: String) async throws {
    let files = try await Repository.files().filter { $0.hasPrefix("Packages/\(package)/") }
    #expect(files.contains("Packages/\(package)/README.md"), "add Packages/\(package)/README.md")
    #expect(
      files.contains { $0.contains("/Sources/") && $0.contains(".docc/") && $0.hasSuffix(".md") },
      "add a DocC catalogue, Packages/\(package)/Sources/<target>/<target>.docc/<target>.md")
    #expect(
      files.contains { $0.contains("/Tests/") && $0.hasSuffix(".swift") },
      "add tests, Packages/\(package)/Tests/<target>Tests")
  }
}
