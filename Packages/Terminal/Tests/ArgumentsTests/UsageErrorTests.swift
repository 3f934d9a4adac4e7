import Arguments
import Testing

@Suite("Usage errors")
struct UsageErrorTests {
  @Test(
    "Each kind of usage error has its own message",
    arguments: [
      ("birds --bogus", "Unknown option '--bogus'."),
      ("birds -x", "Unknown option '-x'."),
      ("tour -fxv", "Unknown option '-x'."),
      ("tour -fast", "Unknown option '-fast'. Did you mean '--fast'?"),
      ("tour --Fast", "Unknown option '--Fast'. Did you mean '--fast'?"),
      ("brids", "Unknown subcommand 'brids'. Did you mean 'birds'?"),
      ("order tkae", "Unknown subcommand 'tkae'. Did you mean 'take'?"),
      ("help brids", "Unknown subcommand 'brids'. Did you mean 'birds'?"),
      ("help birds more", "Unexpected argument 'more'."),
      ("zzz", "Unknown subcommand 'zzz'."),
      ("birds --save", "Missing value for '--save <dir>'."),
      ("birds -s", "Missing value for '-s <dir>'."),
      ("birds --save --json", "Missing value for '--save <dir>'."),
      ("birds --save -- x", "Missing value for '--save <dir>'."),
      ("birds --json=yes", "The flag '--json' takes no value, but was given 'yes'."),
      ("--version=2", "The flag '--version' takes no value, but was given '2'."),
      ("birds --save a -s b", "The option '--save' may be given only once."),
      (
        "birds --seed many",
        "The value 'many' is invalid for '--seed <number>': expected a whole number from 0 to 18446744073709551615."
      ),
      (
        "birds --color alwasy",
        "The value 'alwasy' is invalid for '--color <when>': expected one of 'auto', 'always', 'never'; did you mean 'always'?"
      ),
      ("snapshot compare a b", "Missing expected argument '--output <file>'."),
      ("snapshot compare a -o d", "Missing expected argument '<candidate>'."),
      ("birds one", "Unexpected argument 'one'."),
      ("birds one two", "Unexpected argument 'one'."),
      ("--generate-completion-script", "Missing value for '--generate-completion-script <shell>'."),
      (
        "--generate-completion-script tcsh",
        "The value 'tcsh' is invalid for '--generate-completion-script <shell>': expected 'bash', 'zsh' or 'fish'."
      ),
    ])
  func messageOfEachError(line: String, message: String) throws {
    #expect(reason(line)?.description == message)
  }

  @Test("If one of several values is invalid, the error names that value")
  func errorNamesTheInvalidValue() {
    let sum = Command("sum", output: { (terms: [Int]) in terms.reduce(0, +) }) { Argument<[Int]>("term") }
    guard case .failure(.usage(let error)) = sum.parse(["1", "two", "3"]) else {
      Issue.record("'two' was taken for a number")
      return
    }
    guard case .invalidValue("two", for: "<term>", because: _) = error.reason else {
      Issue.record("\(error.reason)")
      return
    }
  }

  @Test("If the output function rejects a combination of values, its message becomes a usage error")
  func rejectedCombinationIsUsageError() {
    let range = Command(
      "range",
      output: { (low: Int, high: Int) throws(ValidationError) in
        guard low <= high else { throw ValidationError("--low must not be above --high") }
        return low...high
      }
    ) {
      Option<Int>("low", default: 0)
      Option<Int>("high", default: 9)
    }
    guard case .failure(.usage(let error)) = range.parse(["--low", "10"]) else {
      Issue.record("10...9 was made")
      return
    }
    #expect(error.reason.description == "--low must not be above --high.")
    #expect((try? range.parse(["--low", "3"]).get()) == 3...9)
  }

  @Test("An error contains no user name and no password of a URL")
  func credentialsAreOmitted() {
    #expect(
      reason("open x --seed postgres://me:p@ss@db/x")?.description.hasPrefix("The value 'postgres://…@db/x' is invalid")
        == true)
  }

  @Test("Quoted words contain no control characters and are truncated")
  func quotedWordsAreSafe() {
    guard case .failure(.usage(let steering)) = demo.parse(["\u{1B}[2J\n\u{202E}"]) else { return }
    #expect(steering.reason.description == #"Unknown subcommand '\u{1b}[2J\u{a}\u{202e}'."#)
    guard case .failure(.usage(let flood)) = demo.parse([String(repeating: "x", count: 1_000_000)]) else { return }
    #expect(flood.reason.description == "Unknown subcommand '\(String(repeating: "x", count: 80))…'.")
  }
}
