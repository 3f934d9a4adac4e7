/// Lowers choices to the lowest failing value by binary search.
///
/// Lowers either each choice alone, or equal choices together, for failures that need equal parts.
struct LowerChoices: ShrinkMove {
  private let together: Bool
  private var place = 0
  private var search: Search?

  init(together: Bool) {
    self.together = together
  }

  private struct Search: Sendable {
    let places: [Int]
    /// The greatest value known to be too low, if any.
    var low: UInt64?
    var high: UInt64

    var middle: UInt64? {
      guard let low else { return high > 0 ? 0 : nil }
      return high - low > 1 ? low + (high - low) / 2 : nil
    }
  }

  mutating func propose(for best: Recording) -> [UInt64]? {
    while place < best.choices.count {
      if search == nil { search = begin(at: place, in: best) }
      if let search, let middle = search.middle, stillHolds(search, in: best) {
        var values = best.values
        for place in search.places { values[place] = middle }
        return values
      }
      search = nil
      place += 1
    }
    return nil
  }

  mutating func learn(taken: Bool) {
    guard let middle = search?.middle else { return }
    if taken { search?.high = middle } else { search?.low = middle }
  }

  private func begin(at place: Int, in best: Recording) -> Search? {
    let choice = best.choices[place]
    guard choice.limit > 0, choice.value > 0 else { return nil }
    guard together else { return Search(places: [place], high: choice.value) }
    // Choices between two alternatives are often equal by chance, and unrelated.
    guard choice.limit > 1 else { return nil }
    let places = best.choices.indices.filter { best.choices[$0].value == choice.value && best.choices[$0].limit > 1 }
    return places.count > 1 && places.first == place ? Search(places: places, high: choice.value) : nil
  }

  /// An accepted record may have other choices at these positions.
  private func stillHolds(_ search: Search, in best: Recording) -> Bool {
    search.places.allSatisfy { $0 < best.choices.count && best.choices[$0].value == search.high }
  }
}

/// Subtracts from a choice and adds the same amount to a nearby later choice, for failures that need a certain sum.
struct ShiftValues: ShrinkMove {
  private var giver = 0
  private var distance = 1

  mutating func propose(for best: Recording) -> [UInt64]? {
    while giver < best.choices.count {
      let from = best.choices[giver]
      while from.limit > 1, from.value > 0, distance <= 8, giver + distance < best.choices.count {
        let to = best.choices[giver + distance]
        let amount = min(from.value, to.limit - min(to.limit, to.value))
        if to.limit > 1, amount > 0 {
          var values = best.values
          values[giver] -= amount
          values[giver + distance] += amount
          return values
        }
        distance += 1
      }
      giver += 1
      distance = 1
    }
    return nil
  }

  mutating func learn(taken: Bool) {
    distance += 1
  }
}

/// Swaps neighbours so that the simpler one comes first.
struct ReorderSpans: ShrinkMove {
  private var index = 0

  mutating func propose(for best: Recording) -> [UInt64]? {
    let values = best.values
    while index < best.spans.count {
      if let next = best.sibling(after: index) {
        let (left, right) = (best.spans[index].range, best.spans[next].range)
        if isSimpler(values[right], than: values[left]) {
          return Array(values[..<left.lowerBound] + values[right] + values[left] + values[right.upperBound...])
        }
      }
      index += 1
    }
    return nil
  }

  mutating func learn(taken: Bool) {
    // A swap can enable another swap one step to the left, which the next round finds.
    index += 1
  }
}
