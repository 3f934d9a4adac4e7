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
      let invocation = try parse(line).get()
      #expect(invocation.output.shared == expected)
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
    #expect(both.output == ["a", "b"])
    #expect(try outer.parse(["inner", "--level", "b"]).get().output == [nil, "b"])
  }

  /// A command that captures a page and has a subcommand that compares two pages.
  private let snapshot = Command("snapshot", output: { (page: String, isDark: Bool) in [page, "\(isDark)"] }) {
    Argument<String>("page")
    Flag("dark")
  }
  .subcommands {
    Command("compare", output: { (old: String, new: String, output: String?) in [old, new, output ?? "none"] }) {
      Argument<String>("old")
      Argument<String>("new")
      Option<String?>("output", short: "o")
    }
  }

  @Test(
    "A command can run by itself and also have subcommands",
    arguments: [
      ("page", ["page", "false"]), ("--dark page", ["page", "true"]), ("compare a b", ["a", "b", "none"]),
      ("compare a -o c b", ["a", "b", "c"]), ("-- compare", ["compare", "false"]), ("help", ["help", "false"]),
      ("compare compare compare", ["compare", "compare", "none"]),
    ])
  func commandRunsAndHasSubcommands(line: String, output: [String]) throws {
    let invocation = try snapshot.parse(line.split(separator: " ").map(String.init)).get()
    #expect(invocation.output == output)
  }

  @Test(
    "A command that runs and its subcommand do not share options, and errors name the selected command",
    arguments: [
      (
        "--dark compare a b",
        "The option '--dark' is not allowed before 'compare'. Write options of 'compare' after it."
      ),
      ("compare a b --dark", "Unknown option '--dark'."), ("page compare", "Unexpected argument 'compare'."),
      ("page -o c", "Unknown option '-o'."),
      ("--outptu c", "Unknown option '--outptu'. Did you mean 'compare --output'?"),
      ("", "Missing expected argument '<page>'."), ("compare a", "Missing expected argument '<new>'."),
    ])
  func optionsAreNotShared(line: String, message: String) {
    guard case .failure(.usage(let error)) = snapshot.parse(line.split(separator: " ").map(String.init)) else {
      Issue.record("no mistake was found")
      return
    }
    #expect("\(error.reason)" == message)
  }

  @Test("A group with added subcommands is still a group")
  func groupAcceptsMoreSubcommands() throws {
    let group = Command("group") { Command("a", output: { "a" }) {} }.subcommands { Command("b", output: { "b" }) {} }
    #expect(try group.parse(["a"]).get().output == "a" && group.parse(["b"]).get().output == "b")
    guard case .failure(.help) = group.parse([]) else {
      Issue.record("no help")
      return
    }
  }

  @Test("The help of a command that also has subcommands lists both usages and refers to the subcommands' help")
  func helpListsBothUsages() throws {
    guard case .failure(.help(let page)) = snapshot.parse(["compare", "--help"]) else {
      Issue.record("no help")
      return
    }
    #expect(page.commandPath == ["snapshot", "compare"] && !page.text().contains("--dark"))
    let own = snapshot.help.text()
    #expect(own.contains("USAGE: snapshot [--dark] <page>\n") && own.contains("SUBCOMMANDS:\n  compare"))
    #expect(own.contains("See 'snapshot <subcommand> --help' for detailed help."))
    let outer = Command("outer") { snapshot }
    guard case .failure(.help(let found)) = outer.parse(["help", "snapshot", "compare"]) else {
      Issue.record("no help")
      return
    }
    #expect(found.commandPath == ["outer", "snapshot", "compare"])
  }

  @Test("An error suggests 'help' only if the command has a 'help' subcommand")
  func helpIsSuggestedOnlyWhereItExists() {
    let outer = Command("outer") { snapshot }
    let expected: [(line: String, message: String)] = [
      ("hlep", "Unknown subcommand 'hlep'. Did you mean 'help'?"),
      ("help snapshot hlep", "Unknown subcommand 'hlep'."), ("help snapshot help", "Unknown subcommand 'help'."),
    ]
    for (line, message) in expected {
      guard case .failure(.usage(let error)) = outer.parse(line.split(separator: " ").map(String.init)) else {
        Issue.record("no mistake was found in '\(line)'")
        continue
      }
      #expect("\(error.reason)" == message)
    }
  }

  @Test("A group without a subcommand, --help, -h and 'help NAME' show the help of the named command")
  func everyFormOfHelpShowsTheCommand() {
    for (line, path) in [
      ("", ["demo"]), ("--help", ["demo"]), ("-h", ["demo"]), ("help", ["demo"]), ("order", ["demo", "order"]),
      ("help order take", ["demo", "order", "take"]), ("order help take", ["demo", "order", "take"]),
      ("order take -h", ["demo", "order", "take"]), ("birds -qh", ["demo", "birds"]),
      ("help --json birds", ["demo", "birds"]), ("help help order", ["demo", "order"]),
    ] {
      guard case .failure(.help(let page)) = parse(line) else {
        Issue.record("no help for '\(line)'")
        continue
      }
      #expect(page.commandPath == path, "\(line)")
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
    #expect(try own.parse(["--help", "a", "-h", "b"]).get().output == ["a", "b"])
    guard case .failure(.usage) = own.parse(["--bogus", "-h"]) else {
      Issue.record("help of its own was taken for a question")
      return
    }
  }

  @Test("A command without arguments parses an empty command line")
  func commandWithoutArguments() throws {
    let nothing = Command("nothing", output: { true }) {}
    #expect(try nothing.parse([]).get().output)
  }
}
