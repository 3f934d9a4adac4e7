/// Removes spans from the end to the start, at first many neighbours at once.
struct RemoveSpans: ShrinkMove {
  private var size = 32
  private var index: Int?

  mutating func propose(for best: Recording) -> [UInt64]? {
    while size > 0 {
      var current = min(index ?? .max, best.spans.count - 1)
      while current >= 0 {
        if let range = best.run(of: size, from: current) {
          index = current
          return best.values(removing: range)
        }
        current -= 1
      }
      index = nil
      size /= 2
    }
    return nil
  }

  mutating func learn(taken: Bool) {
    // Try large pieces side by side, not at every offset. After a removal, the same index refers to the next span.
    if !taken, let current = index { index = current - size }
  }
}

/// Replaces each span by its simplest value, the larger spans first.
struct SimplifySpans: ShrinkMove {
  private var index = 0

  mutating func propose(for best: Recording) -> [UInt64]? {
    guard index < best.spans.count else { return nil }
    var values = best.values
    for place in best.spans[index].range where best.choices[place].limit > 0 { values[place] = 0 }
    return values
  }

  mutating func learn(taken: Bool) { index += 1 }
}

/// Replaces a span by a part of it, such as a tree by its subtree.
struct HoistSpans: ShrinkMove {
  private var outer = 0
  private var inner = 1

  mutating func propose(for best: Recording) -> [UInt64]? {
    while outer < best.spans.count {
      let whole = best.spans[outer].range
      while inner < best.spans.count, best.spans[inner].start < whole.upperBound {
        let part = best.spans[inner].range
        if part.count < whole.count, !part.isEmpty, whole.contains(part.lowerBound) {
          let values = best.values
          return Array(values[..<whole.lowerBound] + values[part] + values[whole.upperBound...])
        }
        inner += 1
      }
      outer += 1
      inner = outer + 1
    }
    return nil
  }

  mutating func learn(taken: Bool) {
    if taken { inner = outer + 1 } else { inner += 1 }
  }
}

/// Lowers a choice by one and removes a later span, for lengths that are drawn before their elements.
struct LowerAndRemove: ShrinkMove {
  private var place = 0
  private var span = 0

  mutating func propose(for best: Recording) -> [UInt64]? {
    while place < best.choices.count {
      if best.choices[place].limit > 0, best.choices[place].value > 0 {
        while span < best.spans.count {
          let range = best.spans[span].range
          if range.lowerBound > place, !range.isEmpty {
            var values = best.values
            values[place] -= 1
            values.removeSubrange(range)
            return values
          }
          span += 1
        }
      }
      place += 1
      span = 0
    }
    return nil
  }

  mutating func learn(taken: Bool) {
    if taken { span = 0 } else { span += 1 }
  }
}

extension Choices.Span {
  var range: Range<Int> { start..<end }
}

extension Recording {
  func values(removing range: Range<Int>) -> [UInt64] {
    var values = values
    values.removeSubrange(range)
    return values
  }

  /// The range of `count` adjacent spans from `index`, or `nil` if fewer exist.
  func run(of count: Int, from index: Int) -> Range<Int>? {
    var last = index
    for _ in 1..<count {
      guard let next = sibling(after: last) else { return nil }
      last = next
    }
    let range = spans[index].start..<spans[last].end
    return range.isEmpty ? nil : range
  }

  /// The next span after `index` in the same parent.
  func sibling(after index: Int) -> Int? {
    var next = index + 1
    while next < spans.count, spans[next].start < spans[index].end || spans[next].parent != spans[index].parent {
      // Spans after the parent's end are not siblings.
      if let parent = spans[index].parent, spans[next].start >= spans[parent].end { return nil }
      next += 1
    }
    return next < spans.count ? next : nil
  }
}
