/// The search for a simpler failing case, which proposes records of choices and receives their results.
///
/// A record is simpler than another if it has fewer choices, or equally many and a smaller choice at the first
/// difference. Three moves make a record simpler: remove a span, set the choices of a span to zero, and lower one choice by
/// binary search. The search repeats them while one of them succeeds, and ends after `tryLimit` candidates at the latest.
struct Shrinker {
  /// The maximum number of candidates, including candidates that do not make a value.
  static let tryLimit = 5_000

  private enum Move: CaseIterable {
    case remove, simplify, lower
  }

  private(set) var best: Recording
  private(set) var shrinks = 0
  private(set) var tries = 0

  private var moves = Move.allCases[...]
  /// The index of the span or of the choice that the move changes.
  private var index = 0
  /// The lowest number that may fail in place of the choice at `index`.
  private var low: UInt64 = 0
  private var hasImproved = false
  private var seen: Set<[UInt64]> = []

  init(from failing: Recording) {
    best = failing
  }

  /// Returns the next choices to try, or `nil` at the end.
  ///
  /// Report each result with `take` or `turnDown`.
  mutating func nextCandidate() -> [UInt64]? {
    while tries < Self.tryLimit {
      guard let move = moves.first else {
        guard hasImproved else { return nil }
        (moves, hasImproved) = (Move.allCases[...], false)
        continue
      }
      guard let candidate = candidate(move) else {
        (moves, index, low) = (moves.dropFirst(), 0, 0)
        continue
      }
      if isSimpler(candidate, than: best.choices), seen.insert(candidate).inserted {
        tries += 1
        return candidate
      }
      turnDown()
    }
    return nil
  }

  /// Accepts the last candidate, which still fails, with the record of its value.
  mutating func take(_ recording: Recording) {
    // A replay limits choices and drops unread ones, so the new record can equal the current one.
    guard isSimpler(recording.choices, than: best.choices) else { return turnDown() }
    (best, shrinks, hasImproved) = (recording, shrinks + 1, true)
  }

  /// Rejects the last candidate, which does not fail or does not make a value.
  mutating func turnDown() {
    if moves.first == .lower, best.choices[index] > low {
      low = middle + 1
    } else {
      (index, low) = (index + 1, 0)
    }
  }

  /// The number halfway between `low` and the choice, at first zero.
  private var middle: UInt64 { low == 0 ? 0 : low + (best.choices[index] - low) / 2 }

  /// Returns the result of a move at `index`, or `nil` after the last index.
  private func candidate(_ move: Move) -> [UInt64]? {
    guard index < (move == .lower ? best.choices.count : best.spans.count) else { return nil }
    var choices = best.choices
    switch move {
    case .remove: choices.removeSubrange(best.spans[best.spans.count - 1 - index])
    case .simplify: for place in best.spans[index] { choices[place] = 0 }
    case .lower: if choices[index] > low { choices[index] = middle }
    }
    return choices
  }
}

/// Whether the left choices are fewer, or equally many and smaller at the first difference.
private func isSimpler(_ left: [UInt64], than right: [UInt64]) -> Bool {
  left.count == right.count ? left.lexicographicallyPrecedes(right) : left.count < right.count
}
