import Testing

@Suite("File rules") struct SourceRulesTests {
  @Test("a file of 401 lines is a finding, and one of 400 lines is not") func maximumFileLength() {
    let fits = String(repeating: "\n", count: 400)
    #expect(oversizedFile("A.swift", fits).isEmpty)
    #expect(oversizedFile("A.swift", fits + "\n") == ["A.swift: 401 lines, the maximum is 400: split it by topic"])
  }

  @Test("a forced try or cast is a finding in code, but not in a comment or a string") func forcedTryAndCast() {
    #expect(forcedOperations("A.swift", "let a = 1\nlet b = try" + "! c()").first?.hasPrefix("A.swift:2: ") == true)
    #expect(forcedOperations("A.swift", "let b = c as" + "! D").count == 1)
    #expect(forcedOperations("A.swift", "// never as" + "! D").isEmpty)
    #expect(forcedOperations("A.swift", "say(\"try" + "! again\")").isEmpty)
    #expect(forcedOperations("A.swift", "let b = try? c() as? D").isEmpty)
  }

  @Test("a duration whose number exceeds 32 bits is a finding, unless it has 64 bits") func oversizedDuration() {
    #expect(
      oversizedDurations("A.swift", "a(.seconds(2_147_483_648))") == [
        "A.swift:1: `2_147_483_648` does not fit an `Int` of 32 bits, as on watchOS: write `2_147_483_648 as Int64`"
      ])
    #expect(oversizedDurations("A.swift", "a(.seconds(2_147_483_647))").isEmpty)
    #expect(oversizedDurations("A.swift", "a(.nanoseconds(2_147_483_648 as Int64))").isEmpty)
    #expect(oversizedDurations("A.swift", "// a(.seconds(2_147_483_648))").isEmpty)
  }

  @Test("an import of a test library is a finding in SnapshotStore only") func testLibraryImports() {
    let store = "Packages/Snapshotting/Sources/SnapshotStore/A.swift"
    #expect(testLibraries(store, "import Foundation\ninternal import Testing").first?.hasPrefix("\(store):2: ") == true)
    #expect(testLibraries(store, "@testable import XCTest").count == 1)
    #expect(testLibraries(store, "// import Testing").isEmpty)
    #expect(testLibraries("Packages/Snapshotting/Sources/SnapshotAssertions/A.swift", "import Testing").isEmpty)
  }

  @Test("a concurrency opt-out without a comment is a finding") func uncommentedOptOut() {
    let optOut = "final class Box: @unchecked" + " Sendable {"
    #expect(uncommentedOptOuts("A.swift", optOut).count == 1)
    #expect(uncommentedOptOuts("A.swift", optOut + "  // The lock guards `value`.").isEmpty)
    #expect(uncommentedOptOuts("A.swift", "// The lock guards `value`.\n" + optOut).isEmpty)
    #expect(uncommentedOptOuts("A.swift", "// The lock guards it.\n@usableFromInline\n" + optOut).isEmpty)
    #expect(uncommentedOptOuts("A.swift", "@usableFromInline\n" + optOut).count == 1)
    #expect(uncommentedOptOuts("A.swift", optOut + "\n  // The lock guards it.").isEmpty)
    #expect(uncommentedOptOuts("A.swift", optOut + "\n  var a = 1  // The lock guards it.").count == 1)
    #expect(uncommentedOptOuts("A.swift", "// The lock guards both.\n" + optOut + "}\n" + optOut).isEmpty)
    #expect(uncommentedOptOuts("A.swift", "// Far away.\n\n" + optOut).count == 1)
    #expect(uncommentedOptOuts("A.swift", "nonisolated" + "(unsafe) var a = 1").count == 1)
  }

  @Test("a path of one machine is a finding, and a URL is not") func pathsAndURLs() {
    #expect(machineSpecificPaths("A.md", "see /ho" + "me/anna/notes").count == 1)
    #expect(machineSpecificPaths("A.md", "see https://example.org/ho" + "me/page").isEmpty)
    #expect(machineSpecificPaths("A.md", "see Packages/Parallel").isEmpty)
  }
}
