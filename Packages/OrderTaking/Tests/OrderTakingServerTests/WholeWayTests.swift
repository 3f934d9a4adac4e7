import OrderTaking
import OrderTakingServer
import Testing

@Suite("A driver and a real server") struct WholeWayTests {
  @Test("a driver takes an order, and the response to the PUT contains the acceptance") func atOnce() async throws {
    let server = try await OrderServer.start(.test([OfferedOrder("7", details: #"{"stops":2}"#)]))
    let driver = Driver(server)
    #expect(try await driver.taker.acceptance(of: "7").details == #"{"stops":2}"#)
    #expect(server.orders["7"]?.taking?.driver == "ann")
    await server.stop()
  }

  @Test("a driver takes an order, and a push contains the acceptance") func byPush() async throws {
    let server = try await OrderServer.start(
      .test([OfferedOrder("7", details: #"{"stops":2}"#, decidedAfter: .milliseconds(50))]))
    let driver = Driver(server, policy: .pushOnly)
    #expect(try await driver.taker.acceptance(of: "7").details == #"{"stops":2}"#)
    #expect(driver.steps.pushedResultCount == 1)
    await server.stop()
  }

  @Test("a decline arrives in a response or in a push", arguments: [Duration.zero, .milliseconds(50)])
  func declined(decidedAfter: Duration) async throws {
    let server = try await OrderServer.start(
      .test([OfferedOrder("7", verdict: .decline(reason: "order_cancelled"), decidedAfter: decidedAfter)]))
    let driver = Driver(server, policy: .pushOnly)
    let failure = await #expect(throws: OrderTakingFailure.self) { try await driver.taker.acceptance(of: "7") }
    #expect(failure == OrderTakingFailure(.declined, reason: "order_cancelled"))
    await server.stop()
  }

  @Test("one of two drivers gets an order, and the other is declined") func two() async throws {
    let server = try await OrderServer.start(.test([OfferedOrder("7", decidedAfter: .milliseconds(20))]))
    let (ann, bob) = (Driver(server), Driver(server, token: "bob's"))
    var accepted: [String] = []
    for (name, driver) in [("ann", ann), ("bob", bob)] {
      do {
        _ = try await driver.taker.acceptance(of: "7")
        accepted.append(name)
      } catch {
        #expect(error.kind == .declined && error.reason == "already_taken")
      }
    }
    #expect(accepted == ["ann"] && server.orders["7"]?.taking?.driver == "ann")
    await server.stop()
  }
}
