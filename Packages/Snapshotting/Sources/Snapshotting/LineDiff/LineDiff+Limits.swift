extension LineDiff {
  /// The limit of the work for one difference.
  ///
  /// The difference is always correct: applied to the old text it gives the new one. At the limit, the remaining lines are
  /// removed and added, and ``LineDiff/isCutShort`` is true.
  public struct Limits: Sendable {
    /// The maximum number of steps.
    ///
    /// A step compares two lines or follows one path of the search.
    ///
    /// The same texts and steps always give the same difference. The default takes a few hundred milliseconds.
    public var steps: Int

    /// Limits the number of steps.
    public init(steps: Int = 50_000_000) { self.steps = steps }
  }
}

/// The remaining steps of a search.
struct EditBudget {
  private var left: Int
  private(set) var isSpent = false

  init(_ limits: LineDiff.Limits) {
    left = limits.steps
    spend(0)
  }

  mutating func spend(_ steps: Int) {
    left -= steps
    if left < 0 { isSpent = true }
  }
}
