/// Which pushes have come, however they were lost, doubled and mixed up on the way.
///
/// The server counts a driver's pushes without gaps, so a gap is a push that is missing.
struct PushPosition: Equatable {
  /// What to do about a push.
  enum Verdict: Equatable {
    case new
    case repeated
  }

  /// Which counting it is; a server that has lost its own begins another.
  private(set) var stream: String?
  /// All up to this one have come, or will never come.
  private(set) var complete: UInt64 = 0
  /// Those that came before an earlier one.
  private var ahead: Set<UInt64> = []

  /// More than this ahead, the gap is given up: the result of what is missing is asked for by HTTP anyway.
  static let aheadLimit = 1_024

  /// Whether something that comes before another is missing.
  var hasGap: Bool { !ahead.isEmpty }

  /// The server begins after this place.
  mutating func begin(_ stream: String, after cursor: UInt64) {
    if stream != self.stream {
      self = PushPosition()
      self.stream = stream
      complete = cursor
    } else if cursor > complete {
      complete = cursor
      ahead = ahead.filter { $0 > cursor }
    }
    closeUp()
  }

  /// A push came.
  mutating func take(_ cursor: UInt64) -> Verdict {
    guard cursor > complete, ahead.insert(cursor).inserted else { return .repeated }
    closeUp()
    if ahead.count > Self.aheadLimit, let first = ahead.min() {
      complete = first - 1
      closeUp()
    }
    return .new
  }

  private mutating func closeUp() {
    while complete < .max, ahead.remove(complete + 1) != nil { complete += 1 }
  }
}
