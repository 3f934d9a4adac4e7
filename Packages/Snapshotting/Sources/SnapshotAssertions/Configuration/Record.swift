internal import SnapshotStore

extension SnapshotTestingConfiguration {
  /// Which references an assertion writes.
  ///
  /// It is said, from the nearest to the farthest, by the `record` of an assertion, by ``withSnapshotTesting(record:diffTool:operation:)-(_,_,()->R)``
  /// or the trait ``Testing/Trait/snapshots(record:diffTool:)``, by the environment variable `SNAPSHOT_TESTING_RECORD`
  /// (`all`, `failed`, `missing` or `never`), and else it is ``missing``; on a server for continuous integration, which sets `CI`, it is ``never``.
  public struct Record: Equatable, Sendable, ExpressibleByBooleanLiteral {
    enum Mode: String, Sendable, CaseIterable { case all, failed, missing, never }
    let mode: Mode

    /// Writes every reference, and fails, so that nobody leaves it on.
    public static let all = Record(mode: .all)
    /// Writes the references that do not match or are not there, and fails for each.
    public static let failed = Record(mode: .failed)
    /// Writes the references that are not there, and fails for each.
    public static let missing = Record(mode: .missing)
    /// Writes nothing.
    public static let never = Record(mode: .never)

    private init(mode: Mode) {
      self.mode = mode
    }

    /// The mode of a name, as in the environment variable; `nil` for any other text.
    public init?(rawValue: String) {
      guard let mode = Mode(rawValue: rawValue) else { return nil }
      self.mode = mode
    }

    /// ``all`` for `true` and ``missing`` for `false`, as older suites write it.
    public init(booleanLiteral value: Bool) {
      self = value ? .all : .missing
    }
  }
}

/// The mode that the environment asks for, or what is wrong with what it asks.
func recordMode(
  in environment: [String: String]
) -> Result<SnapshotTestingConfiguration.Record, SnapshotError> {
  if let name = environment["SNAPSHOT_TESTING_RECORD"], !name.isEmpty {
    guard let mode = SnapshotTestingConfiguration.Record(rawValue: name) else {
      return .failure(
        SnapshotError(
          "Cannot use the value \"\(name)\" of SNAPSHOT_TESTING_RECORD. Set it to all, failed, missing or never."))
    }
    return .success(mode)
  }
  return .success(environment["CI"].map { !$0.isEmpty && $0 != "false" && $0 != "0" } == true ? .never : .missing)
}

/// The record mode of an assertion, and whether code sets it, so that the environment is ignored.
struct ChosenRecord {
  let mode: SnapshotTestingConfiguration.Record.Mode
  let isSetByCode: Bool

  init(mode: SnapshotTestingConfiguration.Record.Mode, isSetByCode: Bool) {
    self.mode = mode
    self.isSetByCode = isSetByCode
  }

  /// Chooses the assertion's own mode, or else the nearest one.
  init(_ record: SnapshotTestingConfiguration.Record?, in test: RunningTest) throws(SnapshotError) {
    let set =
      record ?? SnapshotTestingConfiguration.current?.record ?? test.configuration?.record ?? processDefaults.record
    isSetByCode = set != nil
    if let set { mode = set.mode } else { mode = try processDefaults.environment.get().mode }
  }
}
