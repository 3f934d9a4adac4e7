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

      --counted-only   measure only reproducible values with a budget: allocations, bytes, depths
      --filter TEXT    run only the benchmarks whose name contains TEXT
      --json PATH      write the report to PATH (default: .build/benchmarks.json; with --filter: none)
      --list           print the names of the benchmarks
      --help           print this help

    Exits with 1 if a counted budget is exceeded. Times are only reported: they never fail the run.
    """

  /// Parses the arguments of the command, without its name.
  ///
  /// - Throws: ``Misunderstanding`` for an unknown argument or a missing value.
  public init(_ arguments: [String]) throws(Misunderstanding) {
    var rest = arguments[...]
    func value(of option: String) throws(Misunderstanding) -> String {
      guard let value = rest.popFirst() else { throw Misunderstanding("\(option) needs a value") }
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
      default: throw Misunderstanding("unknown argument `\(argument)`; see --help")
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
}
