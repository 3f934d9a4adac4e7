extension LineDiff {
  /// How much work a difference may be worth.
  ///
  /// Whatever the limits, the difference is correct: applied to the old text it gives the new one. When a limit is
  /// reached, what is left to compare is told as removed and added, and ``LineDiff/isCutShort`` is true.
  public struct Limits: Sendable {
    /// The most steps to take; a step compares two lines or looks at one way to go on.
    ///
    /// Steps are counted, so the same texts always give the same difference. The default is a matter of a few hundred
    /// milliseconds.
    public var steps: Int

    /// Whether a deadline is over.
    var isOver: (@Sendable () -> Bool)?

    /// Limits by a number of steps.
    public init(steps: Int = 50_000_000) { self.steps = steps }

    /// Limits by a moment of a clock that is handed in, and by a number of steps.
    ///
    /// The clock is read every few thousand steps. Reading the lines is not limited: it takes some milliseconds for a
    /// megabyte.
    ///
    /// ```swift
    /// let clock = ContinuousClock()
    /// let diff = LineDiff(old: old, new: new, limits: .init(deadline: clock.now + .milliseconds(200), clock: clock))
    /// ```
    public init<C: Clock>(deadline: C.Instant, clock: C, steps: Int = 50_000_000) {
      self.steps = steps
      isOver = { clock.now >= deadline }
    }
  }
}

/// What is left of the limits.
struct EditBudget {
  private var left: Int
  private var untilLook: Int
  private let isOver: (@Sendable () -> Bool)?
  private(set) var isSpent = false

  init(_ limits: LineDiff.Limits) {
    left = limits.steps
    isOver = limits.isOver
    untilLook = 0
    spend(0)
  }

  /// Takes steps, and looks at the clock now and then.
  mutating func spend(_ steps: Int) {
    left -= steps
    if left < 0 { isSpent = true }
    guard let isOver, !isSpent else { return }
    untilLook -= steps
    if untilLook <= 0 {
      untilLook = Self.lookEvery
      isSpent = isOver()
    }
  }

  private static let lookEvery = 8_192
}
