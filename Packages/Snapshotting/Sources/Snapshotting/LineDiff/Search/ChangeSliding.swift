/// A change that only adds or only removes lines can often have several places.
///
/// If a function is added after another one, its closing brace can be the old one or the new one. All places are
/// correct, and the difference has the same length.
struct ChangeSliding {
  let old: LineText
  let new: LineText

  /// Adjacent changes are joined.
  func slide(_ changes: [LineDiff.Change]) -> [LineDiff.Change] {
    var slid: [LineDiff.Change] = []
    slid.reserveCapacity(changes.count)
    var pending = changes[...]
    while var change = pending.popFirst() {
      if change.old.isEmpty || change.new.isEmpty {
        let up = room(above: change, after: slid.last)
        if up > 0, let last = slid.last, change.old.lowerBound - up == last.old.upperBound {
          slid[slid.count - 1] = last.joined(with: change.moved(by: -up))
          continue
        }
        let down = room(below: change, before: pending.first)
        if down > 0, let next = pending.first, change.old.upperBound + down == next.old.lowerBound {
          pending[pending.startIndex] = change.moved(by: down).joined(with: next)
          continue
        }
        if up + down > 0 { change = best(of: change, up: up, down: down) }
      }
      slid.append(change)
    }
    return slid
  }

  private func room(above change: LineDiff.Change, after last: LineDiff.Change?) -> Int {
    let (text, lines, limit) =
      change.old.isEmpty
      ? (new, change.new, last?.new.upperBound ?? 0) : (old, change.old, last?.old.upperBound ?? 0)
    var room = 0
    while lines.lowerBound - room > limit, text.isSame(lines.lowerBound - room - 1, lines.upperBound - room - 1) {
      room += 1
    }
    return room
  }

  private func room(below change: LineDiff.Change, before next: LineDiff.Change?) -> Int {
    let (text, lines, limit) =
      change.old.isEmpty
      ? (new, change.new, next?.new.lowerBound ?? new.count) : (old, change.old, next?.old.lowerBound ?? old.count)
    var room = 0
    while lines.upperBound + room < limit, text.isSame(lines.lowerBound + room, lines.upperBound + room) { room += 1 }
    return room
  }

  /// Returns the place at which the change begins with the least indented line; the last one of several.
  private func best(of change: LineDiff.Change, up: Int, down: Int) -> LineDiff.Change {
    let (text, first) = change.old.isEmpty ? (new, change.new.lowerBound) : (old, change.old.lowerBound)
    var (best, least) = (down, Int.max)
    // The limit of one screen bounds the time for long runs of equal lines.
    for distance in stride(from: down, through: max(-up, down - Self.most), by: -1) {
      let indentation = text.indentation(of: first + distance)
      if indentation < least { (best, least) = (distance, indentation) }
    }
    return change.moved(by: best)
  }

  private static let most = 200
}

extension LineDiff.Change {
  fileprivate func moved(by distance: Int) -> Self {
    Self(
      old: (old.lowerBound + distance)..<(old.upperBound + distance),
      new: (new.lowerBound + distance)..<(new.upperBound + distance))
  }

  fileprivate func joined(with next: Self) -> Self {
    Self(old: old.lowerBound..<next.old.upperBound, new: new.lowerBound..<next.new.upperBound)
  }
}
