import Futures
import OrderTaking
import OrderTakingClients
import OrderTakingServer
import Testing

@Suite("Each fault of a real server", .timeLimit(.minutes(2))) struct FaultTests {
  let offer = OfferedOrder("7", details: #"{"stops":2}"#)
  let late = OfferedOrder("7", details: #"{"stops":2}"#, decidedAfter: .milliseconds(30))

  /// Takes the order, and checks that the server has exactly one taking.
  func take(_ offer: OfferedOrder, _ faults: ServerFaults, policy: TakingPolicy = .quick) async throws -> Driver {
    let server = try await OrderServer.start(.test([offer], faults: faults))
    let driver = Driver(server, policy: policy)
    #expect(try await driver.taker.acceptance(of: "7").details == #"{"stops":2}"#)
    #expect(server.orders["7"]?.taking?.driver == "ann" && server.orders.lastCursor(of: "ann") == 1)
    await server.stop()
    return driver
  }

  func script(_ faults: ServerFaults.RequestFault...) -> ServerFaults {
    var all = ServerFaults()
    all.script = faults
    return all
  }

  @Test("a request with an error status is retried", arguments: [408, 429, 500, 503]) func status(status: Int)
    async throws
  {
    let driver = try await take(offer, script(.status(status)))
    #expect(driver.steps.putCount == 2)
  }

  @Test(
    "a response that is lost before or after processing causes only another PUT",
    arguments: [ServerFaults.RequestFault.answerLost, .reset, .resetAfterWork])
  func lost(fault: ServerFaults.RequestFault) async throws {
    // The push channel is not faster than the retry.
    let driver = try await take(offer, script(fault, fault))
    #expect(driver.steps.count(of: .accepted(hasDetails: true)) == 1)
    #expect(driver.steps.putCount <= 3)
  }

  @Test("a server that restarts during an operation continues it") func restart() async throws {
    _ = try await take(offer, script(.restart))
    _ = try await take(late, script(.none, .restart), policy: .quick)
  }

  @Test("the client waits for a late response", arguments: ["latency=30ms", "latency=1ms..30ms", "latency=~10ms"])
  func latency(specification: String) async throws {
    let driver = try await take(offer, try ServerFaults(specification))
    #expect(driver.steps.putCount == 1)
  }

  @Test("a rejection is final, and the order is not taken", arguments: [400, 403, 451]) func refusal(status: Int)
    async throws
  {
    let server = try await OrderServer.start(.test([offer], faults: script(.status(status))))
    let driver = Driver(server)
    let failure = await #expect(throws: OrderTakingFailure.self) { try await driver.taker.acceptance(of: "7") }
    #expect(failure?.kind == .rejected && failure?.status == status)
    #expect(server.orders["7"]?.taking == nil)
    await server.stop()
  }

  @Test("a lost push arrives after the next heartbeat") func pushLost() async throws {
    let driver = try await take(late, try ServerFaults("push-lost=0.7"), policy: .pushOnly)
    #expect(driver.steps.pushedResultCount == 1)
  }

  @Test("a repeated push counts once") func pushDuplicated() async throws {
    let server = try await OrderServer.start(.test([late], faults: try ServerFaults("push-duplicate=1")))
    let driver = Driver(server, policy: .pushOnly)
    #expect(try await driver.taker.acceptance(of: "7").details != nil)
    await driver.sees { $0 == .repeated(cursor: 1) }
    #expect(driver.steps.pushedResultCount == 1)
    await server.stop()
  }

  @Test(
    "a delayed or reordered push arrives", arguments: ["push-delay=1:50ms", "push-reorder=1"])
  func pushDelayed(specification: String) async throws {
    let driver = try await take(late, try ServerFaults(specification), policy: .pushOnly)
    #expect(driver.steps.pushedResultCount == 1)
  }

  @Test("reordered pushes arrive once each") func pushReordered() async throws {
    let offers = (0..<20).map { OfferedOrder("o\($0)", decidedAfter: .milliseconds(5)) }
    let server = try await OrderServer.start(
      .test(offers, faults: try ServerFaults("push-reorder=0.3,push-delay=0.3:20ms,push-lost=0.2"), seed: 3))
    let driver = Driver(server, policy: .pushOnly)
    let futures = offers.map { driver.taker.take($0.id) }
    for future in futures { #expect(try await future.get().details == "{}") }
    #expect(driver.steps.pushedResultCount == 20)
    await server.stop()
  }

  @Test("orders are taken once each under all faults", arguments: UInt64(1)...3) func all(seed: UInt64) async throws {
    let offers = (0..<30).map { index in
      OfferedOrder(
        "o\(index)", details: "{\"number\":\(index)}",
        verdict: index % 3 == 0 ? .decline(reason: "order_cancelled") : .accept,
        decidedAfter: index % 2 == 0 ? .zero : .milliseconds(20))
    }
    let server = try await OrderServer.start(.test(offers, faults: .all, seed: seed))
    let (ann, bob) = (Driver(server), Driver(server, token: "bob's"))
    let futures = offers.flatMap { offer in
      [("ann", offer.id, ann.taker.take(offer.id)), ("bob", offer.id, bob.taker.take(offer.id))]
    }
    for (driver, order, future) in futures {
      let accepted: Bool
      do throws(OrderTakingFailure) {
        accepted = try await future.get().order == order
      } catch {
        #expect(error.kind == .declined, "\(order): \(error)")
        accepted = false
      }
      let taking = server.orders[order]?.taking
      #expect(accepted == (taking?.driver == driver && taking?.answer == .accepted), "\(order) for \(driver)")
    }
    await server.stop()
  }
}
