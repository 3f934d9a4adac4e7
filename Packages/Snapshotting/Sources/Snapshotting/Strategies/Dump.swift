extension Snapshotting where Format == String {
  /// Shows the contents of a value, byte-compatible with `dump` of swift-snapshot-testing.
  ///
  /// Use it for existing reference files. For new ones use `readable`, which keeps fractions of dates, prints numbers
  /// as numbers, and lists members in the order of their declaration.
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
  /// The text of a `TimeZone`, a `Calendar` or `DateComponents` has addresses that change between runs, as in
  /// swift-snapshot-testing.
  ///
  /// Dictionaries and sets are sorted by the texts of their elements, members by name. Shared objects, types with their
  /// own text, and the cost are as described at `readable`.
  public static var dump: Snapshotting {
    SimplySnapshotting.lines.pullback { TreeBuilder.tree(of: $0, as: StandardForm.self).dumpText() }
  }
}

extension Snapshotting where Format == String {
  /// Shows a value by `String(describing:)`.
  ///
  /// ```swift
  /// assertSnapshot(of: user, as: .description)
  /// ```
  public static var description: Snapshotting {
    SimplySnapshotting.lines.pullback { String(describing: $0) }
  }
}
