/// What the `benchmarks` command was asked to do.
public struct Options: Sendable, Equatable {
  /// Only measure what comes out the same in every run: no times.
  public var countedOnly = false
  /// Only the benchmarks whose name contains this.
  public var filter: String?
  /// Where to write the report; `nil` for nowhere, as when only some are measured.
  public var json: String? = ".build/benchmarks.json"
  /// What to do.
  public var action = Action.measure

  /// The three things the command can do.
  public enum Action: Sendable, Equatable { case measure, list, help }

  /// An argument that the command does not understand, in words for the person who typed it.
  public struct Misunderstanding: Error, Equatable, CustomStringConvertible {
    /// What was wrong, and what would be right.
    public var description: String

    /// Makes one.
    public init(_ description: String) { self.description = description }
  }

  /// The text of `--help`.
  public static let help = """
    usage: benchmarks [--counted-only] [--filter TEXT] [--json PATH] [--list]

      --counted-only   only what comes out the same in every run: allocations, bytes, depths
      --filter TEXT    only the benchmarks whose name contains TEXT
      --json PATH      where to write the report (.build/benchmarks.json; with --filter nowhere)
      --list           print the names and stop
      --help           print this and stop

    Exits with 1 when a counted budget is exceeded. Times are reported, and never fail.
    """

  /// Understands the arguments of the command, without its name.
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
      default: throw Misunderstanding("there is no argument `\(argument)`; see --help")
      }
    }
    // A part of the table must not take the place of the whole.
    if path != nil || filter != nil { json = path }
  }

  /// The benchmarks to measure: those whose name fits, and with ``countedOnly`` those that have a counted budget.
  public func chosen(from all: [Benchmark]) -> [Benchmark] {
    all.filter { benchmark in
      (filter.map { benchmark.name.contains($0) } ?? true)
        && (!countedOnly || benchmark.budget?.isCounted == true)
    }
  }
}
