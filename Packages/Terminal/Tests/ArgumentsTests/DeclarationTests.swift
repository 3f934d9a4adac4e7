import Arguments
import Testing

@Suite("Declarations")
struct DeclarationTests {
  @Test("The commands of these tests have no declaration problems")
  func testCommandsAreValid() {
    #expect(demo.declarationProblems.isEmpty)
  }

  @Test("An invalid name and a duplicate name are reported with the path of their command")
  func invalidNamesAreReported() {
    let bad = Command("bad", output: { (_: Bool, _: Bool, _: String?, _: String?, _: Bool) in 0 }) {
      Flag("a b")
      Flag("")
      Option<String?>("twice", short: "t")
      Option<String?>("twice", short: "=")
      Flag("tango", short: "t")
    }
    let group = Command("group") {
      bad
      bad
    }
    let expected = [
      "group: the subcommand 'bad' is declared more than once",
      "group bad: the name 'a b' is invalid",
      "group bad: the name '' is invalid",
      "group bad: the short name '=' is invalid",
      "group bad: '--twice' is declared more than once",
      "group bad: '-t' is declared more than once",
    ]
    #expect(Set(group.declarationProblems) == Set(expected))
  }

  @Test("Positional arguments that can never receive a value are reported")
  func unreachableArgumentsAreReported() {
    let optionalFirst = Command("c", output: { (_: String?, _: String) in 0 }) {
      Argument<String?>("maybe")
      Argument<String>("must")
    }
    #expect(
      optionalFirst.declarationProblems
        == ["c: the required argument '<must>' cannot follow the optional argument '<maybe>'"])
    let repeatingFirst = Command("c", output: { (_: [String], _: String?) in 0 }) {
      Argument<[String]>("all")
      Argument<String?>("last")
    }
    #expect(
      repeatingFirst.declarationProblems == ["c: '<last>' never gets a value, because '<all>' takes all"])
    let group = Command("g", output: { (sub: Int, _: String) in sub }) {
      Argument<String>("word")
    } subcommands: {
      Command("c", output: { 0 }) {}
    }
    #expect(group.declarationProblems == ["g: '<word>' never gets a value, because this command is a group"])
  }

  @Test("The standard values parse the words that their documentation lists")
  func standardValuesParse() throws {
    #expect(try Int8(argument: "-128") == -128)
    #expect(throws: ValidationError("expected a whole number from -128 to 127")) { try Int8(argument: "128") }
    #expect(try Double(argument: "1e3") == 1000)
    #expect(throws: ValidationError("expected a number")) { try Double(argument: "1,5") }
    #expect(try Bool(argument: "true"))
    #expect(throws: ValidationError("expected 'true' or 'false'")) { try Bool(argument: "yes") }
  }
}
