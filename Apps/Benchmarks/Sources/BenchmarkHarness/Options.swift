/// The parsed options of the `benchmarks` command.
public struct Options: Sendable, Equatable {
  /// Whether to measure only counted budgets, without times.
  public var countedOnly = false
  /// A text that the name of a selected benchmark contains, or `nil` for all.
  public var filter: String?
  /// The path of the report; `nil` for no report.
  ///
  /// With a filter, the default is `nil`.
  public var json: String? = ".build/benchmarks.json"
  /// The action of the command.
  public var action = Action.measure

  /// The actions of the command.
  public enum Action: Sendable, Equatable { case measure, list, help }

  /// An invalid argument.
  public struct Misunderstanding: Error, Equatable, CustomStringConvertible {
    /// The message for the user.
    public var description: String

    /// Creates an error.
    public init(_ description: String) { self.description = description }
  }

  /// The text of `--help`.
  public static let help = """
    usage: benchmarks [--counted-only] [--filter TEXT] [--json PATH] [--list]

      --counted-only   check only the counted budgets: allocations, bytes, depths
      --filter TEXT    run only the benchmarks whose name contains TEXT
      --json PATH      write the report to PATH (default: .build/benchmarks.json; with --filter: none)
      --list           print the names of the benchmarks and exit
      -h, --help       print this help and exit

    Exit status: 0 for success, 1 if a counted budget is exceeded or the report cannot be written, 2 for invalid usage.
    Times never fail the run.
    """

  /// Parses the arguments of the command, without its name.
  ///
  /// - Throws: ``Misunderstanding`` for an unknown argument or a missing value.
  public init(_ arguments: [String]) throws(Misunderstanding) {
    var rest = arguments[...]
    func value(of option: String) throws(Misunderstanding) -> String {
      guard let value = rest.popFirst() else {
        throw Misunderstanding("Cannot read `\(option)`: it needs a value. See --help.")
      }
      return value
    }
    var path: String?
    while let argument = rest.popFirst() {
      switch argument {
      case "--counted-only": countedOnly = true
      case "--filter": filter = try value(of: argument)
      case "--json": path = try value(of: argument)
      case "--list": action = .list
      case "--help", "-h": action = .help
      default: throw Misunderstanding("Cannot read `\(argument)`: it is not an option. See --help.")
      }
    }
    // A partial report must not replace the full one.
    if path != nil || filter != nil { json = path }
  }

  /// Returns the benchmarks that match the filter and, with ``countedOnly``, have a counted budget.
  public func chosen(from all: [Benchmark]) -> [Benchmark] {
    all.filter { benchmark in
      (filter.map { benchmark.name.contains($0) } ?? true)
        && (!countedOnly || benchmark.budget?.isCounted == true)
    }
  }

  /// The error if the options select no benchmark.
  var noMatch: String {
    let options = (countedOnly ? ["--counted-only"] : []) + (filter.map { ["--filter", $0] } ?? [])
    return "Cannot measure: no benchmark matches `\(options.joined(separator: " "))`. See the names with --list."
  }
}
