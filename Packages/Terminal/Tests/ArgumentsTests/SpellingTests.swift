import Arguments
import Testing

@Suite("Spelling of options")
struct SpellingTests {
  @Test("The value of an option is the next word, the text after '=', or the text after the short name")
  func threeSpellingsOfValue() throws {
    for line in ["birds --save d", "birds --save=d", "birds -s d", "birds -sd", "birds -s=d"] {
      #expect(try parse(line).get().action == .birds(Birds(server: nil, save: "d")), "\(line)")
    }
  }

  @Test("The value of an option starts after the first '=' and can be empty")
  func valueStartsAfterFirstEqualsSign() throws {
    #expect(try save(["birds", "--save=a=b"]) == "a=b")
    #expect(try save(["birds", "--save="]) == "")
    #expect(try save(["birds", "--save", ""]) == "")
    #expect(try save(["birds", "--save=\u{301}"]) == "\u{301}")
  }

  @Test("Short flags combine in one word, which can end with an option and its value")
  func shortFlagsCombine() throws {
    #expect(try parse("tour -fv").get().action == .tour(fast: true, pictures: false, verbose: true))
    #expect(try parse("birds -qsd").get().shared.quiet)
    #expect(try parse("birds -qsd").get().action == .birds(Birds(server: nil, save: "d")))
    #expect(try parse("birds -qs d").get().action == .birds(Birds(server: nil, save: "d")))
  }

  @Test("A repeated flag has no further effect")
  func flagsCanBeRepeated() throws {
    #expect(try parse("tour").get().action == .tour(fast: false, pictures: false, verbose: false))
    #expect(
      try parse("tour --pictures --pictures").get().action
        == .tour(fast: false, pictures: true, verbose: false))
    #expect(reason("tour --no-fast") == .unknownOption("--no-fast", suggestion: nil))
  }

  @Test("Every word after '--' is an operand")
  func wordsAfterTerminatorAreOperands() throws {
    #expect(try parse("open -- --json").get().action == .open("--json"))
    #expect(try parse("open -- --").get().action == .open("--"))
    #expect(try parse("open -- --help").get().action == .open("--help"))
  }

  @Test("A single dash can be an operand and a value")
  func singleDashIsOperand() throws {
    #expect(try parse("open -").get().action == .open("-"))
    #expect(try save(["birds", "--save", "-"]) == "-")
  }

  @Test("Negative numbers are values and operands, unless a short name is that digit")
  func negativeNumbersAreValues() throws {
    for line in ["order take --offset -5", "order take -o -5", "order take -o-5", "order take --offset=-5"] {
      guard case .take(let taken) = try parse(line).get().action else { continue }
      #expect(taken.offset == -5, "\(line)")
    }
    #expect(try parse("open -5").get().action == .open("-5"))
    #expect(try parse("open -.5e3").get().action == .open("-.5e3"))
    #expect(reason("open -5x") == .unknownOption("-5", suggestion: nil))
    let digits = Command("digits", output: { (one: Bool, rest: [String]) in Pair(one, rest) }) {
      Flag("one", short: "1")
      Argument<[String]>("rest")
    }
    #expect(try digits.parse(["-1", "-2"]).get() == Pair(true, ["-2"]))
  }

  @Test("Options and operands mix in any order")
  func optionsAndOperandsMix() throws {
    let expected = Action.compare(Compare(reference: "a", candidate: "b", output: "d.png"))
    for line in [
      "snapshot compare a b -o d.png", "snapshot compare -o d.png a b", "snapshot compare a -o d.png b",
    ] {
      #expect(try parse(line).get().action == expected)
    }
  }

  @Test("A repeating option collects its values in order")
  func repeatingOptionCollectsValues() throws {
    guard case .take(let taken) = try parse("order take --faults drop --faults=delay 7").get().action else {
      Issue.record("another command was read")
      return
    }
    #expect(taken.faults == ["drop", "delay"])
    #expect(taken.id == "7")
  }

  private func save(_ words: [String]) throws -> String? {
    guard case .birds(let birds) = try demo.parse(words).get().action else { return nil }
    return birds.save
  }
}

struct Pair: Sendable, Equatable {
  var one: Bool
  var rest: [String]

  init(_ one: Bool, _ rest: [String]) {
    self.one = one
    self.rest = rest
  }
}
