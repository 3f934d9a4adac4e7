extension Snapshotting {
  /// A strategy whose reference files have a prefix in their names.
  ///
  /// For one value that is shown in several ways in one test: `assertSnapshot(of: page, as: .image.named("dark"))` has the
  /// file `page.dark-1.png`, and with `named: "wide"` it has `page.dark-wide.png`. Prefixes add up, the last one first.
  ///
  /// - Parameter prefix: What the names begin with.
  public func named(_ prefix: String) -> Snapshotting {
    var strategy = self
    strategy.namePrefix = namePrefix.map { "\(prefix)-\($0)" } ?? prefix
    return strategy
  }
}
