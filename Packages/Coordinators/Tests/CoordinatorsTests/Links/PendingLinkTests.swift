import Coordinators
import Foundation
import Testing

/// A link with obstacles waits, is rejected or expires, and is delivered at most once.
@Suite("Pending links")
struct PendingLinkTests {
  enum Obstacle: Hashable, Sendable, CaseIterable { case loggedOut, unsaved, cold }

  /// Odd links wait up to 3 seconds for a log-in.
  ///
  /// All links wait up to 5 seconds for a cold app. Links above 9 are refused while changes are unsaved.
  private static func policy(_ route: Int, _ obstacle: Obstacle) -> LinkPolicy {
    switch obstacle {
    case .loggedOut: route % 2 == 1 ? .hold(atMost: .seconds(3)) : .deliver
    case .cold: .hold(atMost: .seconds(5))
    case .unsaved: route > 9 ? .reject(reason: "unsaved") : .deliver
    }
  }

  private func slot(_ obstacles: Set<Obstacle> = []) -> PendingLink<Int, Obstacle> {
    PendingLink(obstacles: obstacles, policy: Self.policy)
  }

  @Test("a link without obstacles is delivered at once")
  func linkWithoutObstaclesIsDelivered() {
    var slot = slot([.loggedOut])
    let events = slot.receive(2, at: .zero)
    #expect(events == [.delivered(2)] && slot.route == nil)
  }

  @Test("a link waits until its last obstacle is removed")
  func linkWaitsForLastObstacle() {
    var slot = slot([.loggedOut, .cold])
    let events = [
      slot.receive(1, at: .zero), slot.remove(.cold, at: .seconds(1)), slot.remove(.loggedOut, at: .seconds(2)),
      slot.remove(.loggedOut, at: .seconds(2)),
    ]
    #expect(events == [[.held(1, for: [.loggedOut, .cold])], [], [.delivered(1)], []])
  }

  @Test("a link expires after its deadline and is not delivered later")
  func linkExpires() {
    var slot = slot([.loggedOut, .cold])
    _ = slot.receive(1, at: .seconds(10))
    #expect(slot.deadline == .seconds(13))
    let events = [
      slot.advance(to: .seconds(12)), slot.remove(.cold, at: .seconds(13)), slot.remove(.loggedOut, at: .seconds(14)),
    ]
    #expect(events == [[], [.expired(1)], []])
  }

  @Test("a link expires if its last obstacle is removed too late or a new obstacle has an earlier deadline")
  func lateRemovalExpires() {
    var late = slot([.loggedOut])
    _ = late.receive(1, at: .zero)
    let tooLate = late.remove(.loggedOut, at: .seconds(4))
    #expect(tooLate == [.expired(1)] && late.route == nil)
    var impatient = slot([.cold])
    _ = impatient.receive(1, at: .zero)
    let atOnce = impatient.add(.loggedOut, at: .seconds(4))
    #expect(atOnce == [.expired(1)] && impatient.route == nil)
  }

  @Test("the deadline depends only on the remaining obstacles")
  func deadlineDependsOnRemainingObstacles() {
    var slot = slot([.loggedOut, .cold])
    _ = slot.receive(1, at: .seconds(10))
    let none = slot.remove(.loggedOut, at: .seconds(12))
    #expect(none.isEmpty && slot.deadline == .seconds(15))
    let events = [slot.advance(to: .seconds(14)), slot.remove(.cold, at: .seconds(14))]
    #expect(events == [[], [.delivered(1)]])
  }

  @Test("a link is rejected with a reason, also if the reason appears while it waits")
  func linkIsRejectedWithReason() {
    var slot = slot([.unsaved])
    let first = slot.receive(10, at: .zero)
    #expect(first == [.rejected(10, reasons: ["unsaved"])])
    _ = slot.remove(.unsaved, at: .zero)
    _ = slot.add(.cold, at: .zero)
    let events = [slot.receive(10, at: .zero), slot.add(.unsaved, at: .zero)]
    #expect(events == [[.held(10, for: [.cold])], [.rejected(10, reasons: ["unsaved"])]])
  }

  @Test("a newer link replaces a waiting link")
  func newerLinkReplacesWaitingLink() {
    var slot = slot([.cold])
    _ = slot.receive(1, at: .zero)
    let events = [slot.receive(2, at: .zero), slot.remove(.cold, at: .zero)]
    #expect(events == [[.replaced(1), .held(2, for: [.cold])], [.delivered(2)]])
  }

  /// Explores every sequence of five steps.
  @Test("every link leaves the slot exactly once and never despite an obstacle")
  func everyLinkLeavesOnce() {
    var sequences = 0
    func explore(_ slot: PendingLink<Int, Obstacle>, _ inside: Int?, _ next: Int, _ now: Int, _ left: Int) {
      sequences += 1
      guard left > 0 else { return }
      let time = Duration.seconds(now)
      func follow(_ copy: PendingLink<Int, Obstacle>, _ events: [PendingLink<Int, Obstacle>.Event], new: Int? = nil) {
        var present = Set([inside, new].compactMap { $0 })
        for event in events {
          switch event {
          case .held(let route, _): #expect(route == new)
          case .replaced(let route): #expect(present.remove(route) == route && new != nil && route != new)
          case .expired(let route): #expect(present.remove(route) == route)
          case .rejected(let route, _): #expect(present.remove(route) == route && copy.obstacles.contains(.unsaved))
          case .delivered(let route):
            #expect(present.remove(route) == route && copy.obstacles.allSatisfy { Self.policy(route, $0) == .deliver })
          }
        }
        #expect(present == Set([copy.route].compactMap { $0 }))
        if let route = copy.route { #expect(copy.obstacles.contains { Self.policy(route, $0) != .deliver }) }
        explore(copy, copy.route, next + 1, now + 1, left - 1)
      }
      for route in [next, next + 10] {
        var copy = slot
        let events = copy.receive(route, at: time)
        follow(copy, events, new: route)
      }
      for obstacle in Obstacle.allCases {
        var copy = slot
        let events = slot.obstacles.contains(obstacle) ? copy.remove(obstacle, at: time) : copy.add(obstacle, at: time)
        follow(copy, events)
      }
      var late = slot
      let events = late.advance(to: time + .seconds(4))
      #expect(events.count == (slot.deadline.map { $0 <= time + .seconds(4) } == true ? 1 : 0))
      follow(late, events)
    }
    explore(slot([.loggedOut]), nil, 1, 0, 5)
    #expect(sequences == 9_331)
  }

  @Test("a link is read from any payload of a notification, or the error names the problem")
  func linkIsReadFromNotification() throws {
    func route(_ payload: String) throws(NotificationPayloadError) -> AppRoute {
      try appLinks.route(forNotification: Data(payload.utf8))
    }
    #expect(try route(#"{"aps":{"alert":"x"},"link":"boundaries://stories/7"}"#) == .story(7, ref: nil))
    for payload in ["", "{", "[]"] { #expect(throws: NotificationPayloadError.notAnObject) { try route(payload) } }
    for payload in ["{}", #"{"link":7}"#] {
      #expect(throws: NotificationPayloadError.noLink(key: "link")) { try route(payload) }
    }
    #expect(throws: NotificationPayloadError.self) { try route(#"{"link":"boundaries://nowhere"}"#) }
  }
}
