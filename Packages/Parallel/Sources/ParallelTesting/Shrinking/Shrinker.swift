/// The search for a simpler failing case, as a value that is asked for candidates and told how they fared.
///
/// A record is simpler than another when it has fewer choices or, with as many, when it has the smaller one where they
/// first differ. Only simpler records are taken, so the search ends; it also ends after `tryLimit` candidates. What it
/// ends with is a local minimum: none of the moves in `ShrinkMoves` makes it simpler and still failing.
struct Shrinker: Sendable {
  /// Candidates that are tried at most, those that turn out not to make a value included.
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

  /// The next record to try, or nil when the search is over; answer each with `take` or `turnDown`.
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

  /// Says that the last candidate still fails, and what was recorded while its value was made.
  mutating func take(_ recording: Recording) {
    // Replaying cuts choices to their limits and leaves off what was not read, so it may have come back to the same.
    let taken = isSimpler(recording.values, than: best.values)
    if taken {
      best = recording
      shrinks += 1
      hasImproved = true
    }
    moves[position].learn(taken: taken)
  }

  /// Says that the last candidate does not fail, or does not make a value.
  mutating func turnDown() {
    moves[position].learn(taken: false)
  }

  /// Goes on to the next kind of move, and round again for as long as a round has helped.
  private mutating func nextMove() -> Bool {
    position += 1
    if position == moves.count {
      guard hasImproved else { return false }
      (moves, position, hasImproved) = (Self.allMoves, 0, false)
    }
    return true
  }
}

/// Shorter first, then smaller at the first difference.
func isSimpler(_ left: some Collection<UInt64>, than right: some Collection<UInt64>) -> Bool {
  left.count == right.count ? left.lexicographicallyPrecedes(right) : left.count < right.count
}

/// One way to make a record simpler, tried at one place after the other.
protocol ShrinkMove: Sendable {
  /// The record to try next, from the best so far; nil when there is no place left. May repeat itself until it learns.
  mutating func propose(for best: Recording) -> [UInt64]?
  /// Hears whether the record proposed last has become the best.
  mutating func learn(taken: Bool)
}
