import Testing

@Suite("The rules for files") struct SourceRulesTests {
  @Test("find a file of 401 lines, and not one of 400") func length() {
    let fits = String(repeating: "\n", count: 400)
    #expect(overlongFile("A.swift", fits).isEmpty)
    #expect(overlongFile("A.swift", fits + "\n") == ["A.swift: 401 lines, of at most 400: divide it by ideas"])
  }

  @Test("find what crashes on bad input, in code and not in words") func forced() {
    #expect(forcedOperations("A.swift", "let a = 1\nlet b = try" + "! c()").first?.hasPrefix("A.swift:2: ") == true)
    #expect(forcedOperations("A.swift", "let b = c as" + "! D").count == 1)
    #expect(forcedOperations("A.swift", "// never as" + "! D").isEmpty)
    #expect(forcedOperations("A.swift", "say(\"try" + "! again\")").isEmpty)
    #expect(forcedOperations("A.swift", "let b = try? c() as? D").isEmpty)
  }

  @Test("find an opt-out without a reason, and accept one with") func optOuts() {
    let optOut = "final class Box: @unchecked" + " Sendable {"
    #expect(unexplainedOptOuts("A.swift", optOut).count == 1)
    #expect(unexplainedOptOuts("A.swift", optOut + "  // The lock guards `value`.").isEmpty)
    #expect(unexplainedOptOuts("A.swift", "// The lock guards `value`.\n" + optOut).isEmpty)
    #expect(unexplainedOptOuts("A.swift", "// The lock guards it.\n@usableFromInline\n" + optOut).isEmpty)
    #expect(unexplainedOptOuts("A.swift", "@usableFromInline\n" + optOut).count == 1)
    #expect(unexplainedOptOuts("A.swift", optOut + "\n  // The lock guards it.").isEmpty)
    #expect(unexplainedOptOuts("A.swift", optOut + "\n  var a = 1  // The lock guards it.").count == 1)
    #expect(unexplainedOptOuts("A.swift", "// The lock guards both.\n" + optOut + "}\n" + optOut).isEmpty)
    #expect(unexplainedOptOuts("A.swift", "// Far away.\n\n" + optOut).count == 1)
    #expect(unexplainedOptOuts("A.swift", "nonisolated" + "(unsafe) var a = 1").count == 1)
  }

  @Test("find folders of one machine, and not addresses") func paths() {
    #expect(privatePaths("A.md", "see /ho" + "me/anna/notes").count == 1)
    #expect(privatePaths("A.md", "see https://example.org/ho" + "me/page").isEmpty)
    #expect(privatePaths("A.md", "see Packages/Parallel").isEmpty)
  }
}
