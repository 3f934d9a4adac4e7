import Boundaries
import CoordinatorsTerminal
import OrderTakingServer
import ParallelTesting
import SnapshotAssertions
import Terminal
import TerminalSnapshotting
import Testing

@MainActor
@Suite("Taking an order in the terminal app")
struct OrderFlowTests {
  private let offers: [OrderID] = ["7", "8"]

  @Test("an accepting push message completes the order and removes its screen")
  func acceptedByPush() async throws {
    let dispatch = try await TestOrderServer(
      OfferedOrder("7", details: #"{"stops":2}"#, decidedAfter: .seconds(3)), OfferedOrder("8"))
    let taker = await dispatch.driver()
    let app = TerminalApp.driver(offers: offers, taker: taker)
    var recording = ScreenRecording()
    recording.add("start", app.screen)
    _ = await app.run(try TerminalScript("enter"))
    recording.add("enter", app.screen)
    app.receive(.key(.enter))
    await dispatch.waitForRequest("PUT /orders/:id/taking")
    recording.add("enter, while the server thinks", app.screen)
    #expect(app.navigator.coordinators.count == 2)
    dispatch.clock.advance(by: .seconds(3))
    await app.navigator.waitUntilIdle()
    recording.add("a push", app.screen)
    #expect(app.navigator.coordinators == [CoordinatorID("application")])
    _ = await app.run(try TerminalScript("enter"))
    recording.add("enter", app.screen)
    await expectSnapshot(of: recording, as: .recording)
    #expect(dispatch.server.orders["7"]?.taking?.driver == "ann" && dispatch.server.orders["8"]?.taking == nil)
    await dispatch.server.close()
  }

  @Test("the screen reports an unknown outcome after the driver gives up, and taking again shows the result")
  func cancelledByDriver() async throws {
    let dispatch = try await TestOrderServer(OfferedOrder("7", decidedAfter: .seconds(3)), OfferedOrder("8"))
    let taker = await dispatch.driver()
    let app = TerminalApp.driver(offers: offers, taker: taker)
    var recording = ScreenRecording()
    _ = await app.run(try TerminalScript("enter"))
    app.receive(.key(.enter))
    await dispatch.waitForRequest("PUT /orders/:id/taking")
    app.receive(.key(.enter))
    try await taker.end(of: "7")
    await app.navigator.waitUntilIdle()
    recording.add("giving up", app.screen)
    dispatch.clock.advance(by: .seconds(3))
    _ = await app.run(try TerminalScript("enter enter enter"))
    recording.add("once more", app.screen)
    await expectSnapshot(of: recording, as: .recording)
    #expect(dispatch.server.orders["7"]?.taking?.driver == "ann")
    await dispatch.server.close()
  }
}

/// A series of screens, each with the action that led to it.
struct ScreenRecording {
  private(set) var frames: [(action: String, screen: Screen)] = []

  mutating func add(_ action: String, _ screen: Screen) { frames.append((action, screen)) }
}

extension Snapshotting where Value == ScreenRecording, Format == String {
  /// Shows each screen as text below its action.
  static var recording: Snapshotting {
    SimplySnapshotting.lines.asyncPullback { recording in
      recording.frames.map { frame in
        Snapshotting<Screen, String>.text.snapshot(frame.screen).map { "── \(frame.action)\n\($0)" }
      }.sequence().map { $0.joined(separator: "\n") }
    }
  }
}
