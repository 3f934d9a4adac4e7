import Arguments
import Testing

@Suite("Subcommands and shared options")
struct SubcommandTests {
  @Test("The options of a group are accepted before and after the subcommand's name")
  func groupOptionsAreAcceptedOnBothSides() throws {
    let expected = Shared(json: true, quiet: false, seed: 7, color: .never)
    for line in [
      "--json --seed 7 --color never order take", "order take --json --seed 7 --color never",
      "--json order --seed 7 take --color=never",
    ] {
      #expect(try parse(line).get().shared == expected)
    }
  }

  @Test("If a subcommand declares the same option as its group, it receives the option written after its name")
  func subcommandReceivesItsOwnOption() throws {
    let inner = Command("inner", output: { (level: String?) in level }) { Option<String?>("level") }
    let outer = Command("outer", output: { (inner: String?, level: String?) in [level, inner] }) {
      Option<String?>("level")
    } subcommands: {
      inner
    }
    let both = try outer.parse(["--level", "a", "inner", "--level", "b"]).get()
    #expect(both == ["a", "b"])
    #expect(try outer.parse(["inner", "--level", "b"]).get() == [nil, "b"])
  }

  @Test("A group without a subcommand, --help, -h and 'help NAME' show the help of the named command")
  func everyFormOfHelpShowsTheCommand() {
    for (line, path) in [
      ("", "demo"), ("--help", "demo"), ("-h", "demo"), ("help", "demo"), ("order", "demo order"),
      ("help order take", "demo order take"), ("order help take", "demo order take"),
      ("order take -h", "demo order take"), ("birds -qh", "demo birds"),
      ("help --json birds", "demo birds"), ("help help order", "demo order"),
    ] {
      guard case .failure(.help(let page)) = parse(line) else {
        Issue.record("no help for '\(line)'")
        continue
      }
      #expect(page.text(width: 200).contains("\nUSAGE: \(path) "), "\(line)")
    }
  }

  @Test("--help takes precedence over errors before and after it, unless it follows '--'")
  func helpTakesPrecedenceOverErrors() {
    for line in ["birds --bogus --help", "birds --save --help", "birds a b --help", "bogus -h"] {
      guard case .failure(.help) = parse(line) else {
        Issue.record("no help for '\(line)'")
        continue
      }
    }
    #expect(reason("birds --bogus -- --help") == .unknownOption("--bogus", suggestion: nil))
  }

  @Test("Every command prints the version of the outermost command, and --version is unknown without a version")
  func everyCommandPrintsTheVersion() {
    #expect(text("--version") == "1.2.3\n")
    #expect(text("birds --version") == "1.2.3\n")
    guard case .failure(.usage(let error)) = birds.parse(["--version"]) else {
      Issue.record("a command without a version printed one")
      return
    }
    #expect(error.reason == .unknownOption("--version", suggestion: nil))
  }

  @Test("A command can declare an option with the name of a built-in option")
  func commandReplacesBuiltInOption() throws {
    let own = Command("own", output: { (help: String?, host: String?) in [help, host] }) {
      Option<String?>("help")
      Option<String?>("host", short: "h")
    }
    #expect(try own.parse(["--help", "a", "-h", "b"]).get() == ["a", "b"])
    guard case .failure(.usage) = own.parse(["--bogus", "-h"]) else {
      Issue.record("help of its own was taken for a question")
      return
    }
  }
}
