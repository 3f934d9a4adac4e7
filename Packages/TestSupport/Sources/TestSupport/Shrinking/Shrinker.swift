/// The search for a simpler failing case, which proposes candidates and receives their results.
///
/// A record is simpler than another if it has fewer choices, or equally many and a smaller choice at the first
/// difference. The search ends because it accepts only simpler records, or after `tryLimit` candidates. The result is
/// a local minimum: no move in `ShrinkMoves` leads to a simpler failing record.
struct Shrinker: Sendable {
  /// The maximum number of candidates, including candidates that do not make a value.
  static let tryLimit = 5_000

  private(set) var best: Recording
  private(set) var shrinks = 0
  private(set) var tries = 0

  private var moves = Shrinker.allMoves
  private var position = 0
  private var hasImproved = false
  private var seen: Set<[UInt64]> = []

  private static var allMoves: [any ShrinkMove] {
    [
      RemoveSpans(), SimplifySpans(), HoistSpans(), LowerChoices(together: false), LowerChoices(together: true),
      ReorderSpans(), ShiftValues(), LowerAndRemove(),
    ]
  }

  init(from failing: Recording) {
    best = failing
    seen.insert(failing.values)
  }

  /// Returns the next record to try, or `nil` at the end.
  ///
  /// Report each result with `take` or `turnDown`.
  mutating func nextCandidate() -> [UInt64]? {
    while tries < Self.tryLimit {
      guard let candidate = moves[position].propose(for: best) else {
        guard nextMove() else { return nil }
        continue
      }
      if isSimpler(candidate, than: best.values), seen.insert(candidate).inserted {
        tries += 1
        return candidate
      }
      moves[position].learn(taken: false)
    }
    return nil
  }

  /// Accepts the last candidate, because it still fails, and keeps the record of its choices.
  mutating func take(_ recording: Recording) {
    // A replay limits choices and drops unread ones, so the new record can equal the current one.
    let taken = isSimpler(recording.values, than: best.values)
    if taken {
      best = recording
      shrinks += 1
      hasImproved = true
    }
    moves[position].learn(taken: taken)
  }

  /// Rejects the last candidate, which does not fail or does not make a value.
  mutating func turnDown() {
    moves[position].learn(taken: false)
  }

  /// Switches to the next kind of move, and starts a new round if the last one made progress.
  private mutating func nextMove() -> Bool {
    position += 1
    if position == moves.count {
      guard hasImproved else { return false }
      (moves, position, hasImproved) = (Self.allMoves, 0, false)
    }
    return true
  }
}

/// Whether the left record is shorter, or equally long and smaller at the first difference.
func isSimpler(_ left: some Collection<UInt64>, than right: some Collection<UInt64>) -> Bool {
  left.count == right.count ? left.lexicographicallyPrecedes(right) : left.count < right.count
}

/// A way to make a record simpler, tried at each position.
protocol ShrinkMove: Sendable {
  /// Returns the next record to try, derived from the best one, or `nil` after the last position.
  ///
  /// May return the same record until it learns the result.
  mutating func propose(for best: Recording) -> [UInt64]?
  /// Receives whether the last proposed record was accepted as the best.
  mutating func learn(taken: Bool)
}
