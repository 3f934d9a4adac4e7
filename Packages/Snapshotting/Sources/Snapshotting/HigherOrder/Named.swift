extension Snapshotting {
  /// Returns a strategy with a prefix in the names of its reference files.
  ///
  /// For several snapshots of one value in one test: `assertSnapshot(of: page, as: .image.named("dark"))` has the file
  /// `page.dark-1.png`, and with `named: "wide"` it has `page.dark-wide.png`. Several prefixes are joined, the last one
  /// first.
  public func named(_ prefix: String) -> Snapshotting {
    var strategy = self
    strategy.namePrefix = namePrefix.map { "\(prefix)-\($0)" } ?? prefix
    return strategy
  }
}
