import Coordinators
import TestSupport
import Testing

/// Each session has a thousand events, a server that fails or responds late, twice or never, and a slow shell.
///
/// The specified thousand sessions take two minutes: `PROPERTY_COUNT=100 swift test --filter RemoteSessionTests`.
@MainActor
@Suite("Sessions with an unreliable server")
struct RemoteSessionTests {
  private typealias Event = RemoteSession.Event

  private static let event = Generator<Event>.frequency([
    (4, .always(.story)), (3, .always(.user)), (2, .always(.compose)), (3, .always(.done)), (6, .always(.swipeBack)),
    (2, .always(.dismiss)), (1, .always(.unwind)), (1, .always(.lateTap)), (1, .always(.deepLink)),
    (3, .always(.refresh)), (6, .always(.answer)), (8, .always(.catchUp)),
  ])

  @Test("the invariants hold after every event, and a session leaves nothing in memory")
  func sessionsLeaveNothingInMemory() throws {
    let step = Generator<(Event, Int)>.zip(Self.event, .int(in: 0...1_000))
    var faults: [String: Int] = [:]
    try checkProperty(
      "a session leaves nothing behind", count: 10, .array(of: step, count: 1_000...1_000), .uint64
    ) { steps, seed in
      // The property runs on the thread of the test, which is the main thread.
      MainActor.assumeIsolated {
        let session = RemoteSession(seed: seed)
        for (event, choice) in steps {
          session.happen(event, choice)
          if !session.violations.isEmpty { return false }
        }
        faults.merge(session.client.faults) { $0 + $1 }
        return session.end() == [0, 0, 0]
      }
    }
    // Otherwise the sessions would not test these faults.
    #expect(["failed", "late", "twice"].allSatisfy { (faults[$0] ?? 0) > 100 })
  }
}
