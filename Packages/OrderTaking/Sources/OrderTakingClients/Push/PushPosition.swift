internal import OrderTaking

/// Pushes can be lost, repeated or reordered.
///
/// The server numbers a driver's pushes without gaps, so a gap is a missing push.
struct PushPosition: Equatable {
  enum Verdict: Equatable {
    case new
    case repeated
  }

  /// A server that has lost its state begins a new epoch.
  private(set) var epoch: String?
  /// The last cursor up to which all pushes have arrived or were skipped.
  private(set) var complete: UInt64 = 0
  /// The cursors of pushes that arrived before an earlier push.
  private var ahead: Set<UInt64> = []

  /// Beyond it the gap is skipped, because GETs also return the results.
  static let aheadLimit = 1_024

  init(_ checkpoint: PushCheckpoint? = nil) {
    (epoch, complete) = (checkpoint?.epoch, checkpoint?.cursor ?? 0)
  }

  var checkpoint: PushCheckpoint? { epoch.map { PushCheckpoint(epoch: $0, cursor: complete) } }

  var hasGap: Bool { !ahead.isEmpty }

  /// Records that the server sends pushes after a cursor.
  ///
  /// - Parameter last: The last cursor of the server. It is lower than the position if the server has lost pushes, for example by a
  ///   fail-over to a replica. The server uses their cursors again.
  mutating func begin(_ epoch: String, after cursor: UInt64, last: UInt64? = nil) {
    if epoch != self.epoch || last.map({ $0 < complete }) == true {
      self = PushPosition()
      self.epoch = epoch
      complete = cursor
    } else if cursor > complete {
      complete = cursor
      ahead = ahead.filter { $0 > cursor }
    }
    closeUp()
  }

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
