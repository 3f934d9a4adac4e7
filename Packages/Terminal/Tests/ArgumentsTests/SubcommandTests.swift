import Arguments
import Testing

@Suite("Subcommands and the options they share")
struct SubcommandTests {
  @Test("Options of an outer command are understood before and after the subcommand's name")
  func globalOptions() throws {
    let expected = Shared(json: true, quiet: false, seed: 7, color: .never)
    for line in [
      "--json --seed 7 --color never order take", "order take --json --seed 7 --color never",
      "--json order --seed 7 take --color=never",
    ] {
      let invocation = try parse(line).get()
      #expect(invocation.output.shared == expected)
      #expect(invocation.arguments == ["--json", "--seed", "7", "--color", "never", "order", "take"])
    }
  }

  @Test("A subcommand that declares an outer option's name gets what stands after its own name")
  func shadowing() throws {
    let inner = Command("inner", output: { (level: String?) in level }) { Option<String?>("level") }
    let outer = Command("outer", output: { (inner: String?, level: String?) in [level, inner] }) {
      Option<String?>("level")
    } subcommands: {
      inner
    }
    let both = try outer.parse(["--level", "a", "inner", "--level", "b"]).get()
    #expect(both.output == ["a", "b"])
    #expect(both.arguments == ["--level", "a", "inner", "--level", "b"])
    #expect(try outer.parse(["inner", "--level", "b"]).get().output == [nil, "b"])
  }

  /// A command that takes a page by itself, and compares two of them.
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
    "A command may do something by itself and have subcommands besides",
    arguments: [
      ("page", ["page", "false"]), ("--dark page", ["page", "true"]), ("compare a b", ["a", "b", "none"]),
      ("compare a -o c b", ["a", "b", "c"]), ("-- compare", ["compare", "false"]), ("help", ["help", "false"]),
      ("compare compare compare", ["compare", "compare", "none"]),
    ])
  func both(line: String, output: [String]) throws {
    let invocation = try snapshot.parse(line.split(separator: " ").map(String.init)).get()
    #expect(invocation.output == output)
    #expect(try snapshot.parse(invocation.arguments).get().output == output, "\(invocation.arguments)")
    #expect(snapshot.declarationProblems == [])
  }

  @Test(
    "Then the options of either are its own, and what is wrong is told of the one that was named",
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
  func eitherOwn(line: String, message: String) {
    guard case .failure(.usage(let error)) = snapshot.parse(line.split(separator: " ").map(String.init)) else {
      Issue.record("no mistake was found")
      return
    }
    #expect("\(error.reason)" == message)
  }

  @Test("A group that is given more subcommands is a group still")
  func added() throws {
    let group = Command("group") { Command("a", output: { "a" }) {} }.subcommands { Command("b", output: { "b" }) {} }
    #expect(try group.parse(["a"]).get().output == "a" && group.parse(["b"]).get().output == "b")
    guard case .failure(.help) = group.parse([]) else {
      Issue.record("no help")
      return
    }
  }

  @Test("What is added to a group with options would not get them, which is a mistake of the declaration")
  func addedBesideOptions() {
    let first = Command("a", output: { "a" }) {}
    let group = Command("g", output: { (action: String, isVerbose: Bool) in "\(action) \(isVerbose)" }) {
      Flag("verbose")
    } subcommands: {
      first
    }
    #expect(group.declarationProblems == [])
    let more = Command("outer") { group.subcommands { Command("b", output: { "b" }) {} } }
    #expect(more.declarationProblems == ["outer g: the subcommand 'b' does not receive the options of this group"])
    let plain = Command("group") { first }.subcommands { Command("b", output: { "b" }) {} }
    #expect(plain.declarationProblems == [])
  }

  @Test("Help of a command with subcommands tells both, and leads to theirs")
  func helpOfBoth() throws {
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

  @Test("'help' is suggested only where it is understood")
  func helpIsSuggested() {
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

  @Test("A group called by itself, --help, -h and 'help NAME' show the help of that command")
  func help() {
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

  @Test("--help wins over a mistake on either side of it, unless '--' makes it an operand")
  func helpWins() {
    for line in ["birds --bogus --help", "birds --save --help", "birds a b --help", "bogus -h"] {
      guard case .failure(.help) = parse(line) else {
        Issue.record("no help for '\(line)'")
        continue
      }
    }
    #expect(reason("birds --bogus -- --help") == .unknownOption("--bogus", suggestion: nil))
  }

  @Test("--version prints the version handed in, from every command, and only if there is one")
  func version() {
    #expect(text("--version") == "1.2.3\n")
    #expect(text("birds --version") == "1.2.3\n")
    guard case .failure(.usage(let error)) = birds.parse(["--version"]) else {
      Issue.record("a command without a version printed one")
      return
    }
    #expect(error.reason == .unknownOption("--version", suggestion: nil))
  }

  @Test("A command may declare the names of built-in options for itself")
  func ownHelp() throws {
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

  @Test("A command without any arguments is a command")
  func empty() throws {
    let nothing = Command("nothing", output: { true }) {}
    #expect(try nothing.parse([]).get().output)
  }
}
