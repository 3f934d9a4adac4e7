internal import SnapshotStore

extension SnapshotTestingConfiguration {
  /// The references that an assertion records.
  ///
  /// The first of these sets the mode: the argument `record` of the assertion, ``withSnapshotTesting(record:diffTool:operation:)-(_,_,()->R)``
  /// or the trait ``Testing/Trait/snapshots(record:diffTool:)``, and the environment variable `SNAPSHOT_TESTING_RECORD` (`all`, `failed`,
  /// `missing`, `pending` or `never`). The default is ``missing``. If `CI` is set, and not empty, `0` or `false`, the default is ``never``,
  /// which records nothing.
  public struct Record: Equatable, Sendable, ExpressibleByBooleanLiteral {
    enum Mode: String, Sendable, CaseIterable { case all, failed, missing, pending, never }
    let mode: Mode
    /// Whether the mode is that of `false`, which depends on the environment.
    let isFalse: Bool

    /// Records every reference, and fails, so that the mode is not left on.
    public static let all = Record(mode: .all)
    /// Records references that differ or are absent, and fails for each.
    public static let failed = Record(mode: .failed)
    /// Records absent references, and fails for each.
    public static let missing = Record(mode: .missing)
    /// Records nothing, and leaves a pending snapshot for each reference that differs or is absent.
    ///
    /// The command `snapshots` reviews them. ``missing`` leaves them for references that differ.
    public static let pending = Record(mode: .pending)
    public static let never = Record(mode: .never)

    init(mode: Mode, isFalse: Bool = false) {
      (self.mode, self.isFalse) = (mode, isFalse)
    }

    public static func == (left: Self, right: Self) -> Bool { left.mode == right.mode }

    /// Creates the mode with a name, as in the environment variable; `nil` for any other text.
    public init?(rawValue: String) {
      guard let mode = Mode(rawValue: rawValue) else { return nil }
      self.init(mode: mode)
    }

    /// Creates ``all`` for `true`, for older suites.
    ///
    /// `false` is ``missing``. In CI, and with `SNAPSHOT_TESTING_RECORD` set to `never` or `pending`, it records
    /// nothing. A variable of type `Bool` has the same meaning.
    public init(booleanLiteral value: Bool) {
      self = value ? .all : processDefaults.notRecording
    }
  }
}

func recordMode(
  in environment: [String: String]
) -> Result<SnapshotTestingConfiguration.Record, SnapshotError> {
  if let name = environment["SNAPSHOT_TESTING_RECORD"], !name.isEmpty {
    guard let mode = SnapshotTestingConfiguration.Record(rawValue: name) else {
      return .failure(
        SnapshotError(
          "Cannot use the value \"\(name)\" of SNAPSHOT_TESTING_RECORD. Set it to all, failed, missing, pending or never."
        ))
    }
    return .success(mode)
  }
  return .success(environment["CI"].map { !$0.isEmpty && $0 != "false" && $0 != "0" } == true ? .never : .missing)
}

struct ChosenRecord {
  let mode: SnapshotTestingConfiguration.Record.Mode
  /// The mode that code sets; `nil` if the environment sets it.
  let code: SnapshotTestingConfiguration.Record?
}

extension ChosenRecord {
  /// Chooses the assertion's own mode, or else the nearest one.
  init(
    _ record: SnapshotTestingConfiguration.Record?, in defaults: ProcessDefaults = processDefaults
  ) throws(SnapshotError) {
    code = record ?? SnapshotTestingConfiguration.current?.record ?? defaults.record
    if let code { mode = code.mode } else { mode = try defaults.environment.get().mode }
  }
}
