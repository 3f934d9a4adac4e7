extension Snapshotting where Format == String {
  /// Shows what a value contains, in the format of swift-snapshot-testing's `dump`, to the byte.
  ///
  /// It is for reference files that there are already. For new ones take `readable`, which keeps fractions of dates,
  /// prints numbers as numbers, and lists members in the order of their declaration.
  ///
  /// ```swift
  /// assertSnapshot(of: user, as: .dump)
  /// ```
  ///
  /// ```
  /// ▿ User
  ///   - id: 1
  ///   - name: "Blobby"
  /// ```
  ///
  /// Dictionaries and sets come in the order of what their elements look like, members by name. An object that contains
  /// itself is shown once; from 100,000 lines on, so is every object that several others refer to. Types have a say by conforming to ``AnySnapshotStringConvertible``. The cost is in proportion to
  /// the number of lines, however deeply the value is nested.
  public static var dump: Snapshotting {
    SimplySnapshotting.lines.pullback { TreeBuilder<StandardForm>.tree(of: $0).dumpText() }
  }
}

extension Snapshotting where Format == String {
  /// Shows a value as `String(describing:)` does.
  ///
  /// ```swift
  /// assertSnapshot(of: user, as: .description)
  /// ```
  public static var description: Snapshotting {
    SimplySnapshotting.lines.pullback { String(describing: $0) }
  }
}
