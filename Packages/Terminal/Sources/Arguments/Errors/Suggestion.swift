/// Finds the name that a misspelled word most likely stands for.
enum Suggestion {
  /// Returns the candidate nearest to `word`, or nil when none is near.
  ///
  /// A candidate is near if its edit distance to `word` is at most 1, or at most a third of the candidate's length without
  /// leading dashes. A swap of neighbours counts as one edit. The first of several equally near candidates wins. If none is
  /// near, and `word` has at least two characters without leading dashes, the result is the only candidate that starts with
  /// `word`. A candidate with a very different length is skipped without computing the distance.
  static func closest(to word: String, among candidates: [String]) -> String? {
    let typed = Array(word)
    var best: (candidate: String, distance: Int)?
    for candidate in candidates {
      let target = Array(candidate)
      let limit = max(1, significantCount(target) / 3)
      guard abs(typed.count - target.count) <= limit else { continue }
      let distance = editDistance(typed, target)
      if distance <= limit, distance < (best?.distance ?? .max) { best = (candidate, distance) }
    }
    if let best { return best.candidate }
    let completions = candidates.filter { significantCount(typed) >= 2 && $0.hasPrefix(word) }
    return completions.count == 1 ? completions[0] : nil
  }

  private static func significantCount(_ name: [Character]) -> Int {
    name.count - name.prefix { $0 == "-" }.count
  }

  /// Returns the number of insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`.
  static func editDistance(_ a: [Character], _ b: [Character]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      row.reserveCapacity(b.count + 1)
      for j in b.indices {
        var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, beforeLast[j - 1] + 1) }
        row.append(cost)
      }
      (beforeLast, last) = (last, row)
    }
    return last[b.count]
  }
}
