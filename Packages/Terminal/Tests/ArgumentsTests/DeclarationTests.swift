import Arguments
import Testing

@Suite("Declarations")
struct DeclarationTests {
  #if os(macOS) || os(Linux)
    static let wrong: [(problem: String, make: @Sendable () -> Void)] = [
      ("the name 'a b' is empty", { _ = Command("c", output: { (_: Bool) in 0 }) { Flag("a b") } }),
      ("the name '' is empty", { _ = Command("", output: { 0 }) {} }),
      (
        "'--twice' is declared more than once",
        {
          _ = Command("c", output: { (_: Bool, _: Bool) in 0 }) {
            Flag("twice")
            Flag("twice")
          }
        }
      ),
      (
        "'<must>' cannot follow '<maybe>', which is optional",
        {
          _ = Command("c", output: { (_: String?, _: String) in 0 }) {
            Argument<String?>("maybe")
            Argument<String>("must")
          }
        }
      ),
      (
        "'<last>' cannot follow '<all>', which is repeating",
        {
          _ = Command("c", output: { (_: [String], _: String?) in 0 }) {
            Argument<[String]>("all")
            Argument<String?>("last")
          }
        }
      ),
      (
        "'<word>' never gets a value in a group",
        {
          _ = Command("c", output: { (sub: Int, _: String) in sub }) {
            Argument<String>("word")
          } subcommands: {
            Command("b", output: { 0 }) {}
          }
        }
      ),
    ]

    @Test("Wrong declarations stop the program with the name of the command", arguments: wrong.indices)
    func wrongDeclarationStopsProgram(index: Int) async throws {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [index] in
        DeclarationTests.wrong[index].make()
      }
      let error = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
      #expect(error.contains("The command '\(index == 1 ? "" : "c")' is wrong: \(Self.wrong[index].problem)"))
    }
  #endif

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
