import Futures
import LoopbackTesting
import OrderTaking
import OrderTakingClients
import Testing

@testable import OrderTakingServer

@Suite("A driver and a real server", .serialized, .timeLimit(.minutes(5))) struct FaultTests {
  let offer = OfferedOrder("7", details: #"{"stops":2}"#)
  let late = OfferedOrder("7", details: #"{"stops":2}"#, decidedAfter: .milliseconds(30))

  /// Takes the order, and checks that the server has exactly one taking.
  @discardableResult
  func take(_ offer: OfferedOrder, _ faults: ServerFault..., policy: TakingPolicy = .quick) async throws -> Driver {
    let server = try await OrderServer.start(.test(offer))
    for fault in faults { server.inject(fault) }
    let driver = Driver(server, policy: policy)
    #expect(try await driver.taker.acceptance(of: "7").details == #"{"stops":2}"#)
    #expect(server.orders["7"]?.taking?.driver == "ann" && server.orders["7"]?.taking?.cursor == 1)
    await server.close()
    return driver
  }

  @Test("a decline arrives in a response or in a push", arguments: [Duration.zero, .milliseconds(50)])
  func declined(decidedAfter: Duration) async throws {
    let server = try await OrderServer.start(
      .test(OfferedOrder("7", verdict: .decline(reason: "order_cancelled"), decidedAfter: decidedAfter)))
    let driver = Driver(server, policy: .pushOnly)
    let failure = await #expect(throws: OrderTakingFailure.self) { try await driver.taker.acceptance(of: "7") }
    #expect(failure?.kind == .declined && failure?.reason == "order_cancelled")
    await server.close()
  }

  @Test("of two drivers one gets an order, also if it is offered later") func two() async throws {
    let server = try await OrderServer.start(.test())
    #expect(try await server.offer(OfferedOrder("7", decidedAfter: .milliseconds(20))))
    #expect(try await !server.offer(OfferedOrder("7", details: "other")))
    let (ann, bob) = (Driver(server), Driver(server, token: "bob's"))
    var accepted: [String] = []
    for (name, driver) in [("ann", ann), ("bob", bob)] {
      do {
        #expect(try await driver.taker.acceptance(of: "7").details == "{}")
        accepted.append(name)
      } catch {
        #expect(error.kind == .declined && error.reason == "already_taken")
      }
    }
    #expect(accepted == ["ann"])
    await server.close()
  }

  @Test(
    "a fault of a request causes another PUT of the same intent",
    arguments: [ServerFault.serverError, .refused, .lostResponse])
  func request(fault: ServerFault) async throws {
    let driver = try await take(offer, fault, fault)
    // After a lost response, the push can be faster than the retry.
    #expect(fault == .lostResponse ? driver.log.putCount <= 3 : driver.log.putCount == 3)
  }

  @Test(
    "a push arrives once in spite of its fault",
    arguments: [ServerFault.lostPush, .delayedPush, .duplicatedPush, .reorderedPush, .closedPush])
  func push(fault: ServerFault) async throws {
    #expect(try await take(late, fault, policy: .pushOnly).log.putCount == 1)
  }

  @Test("orders are taken once each under all faults", arguments: UInt64(1)...3) func all(seed: UInt64) async throws {
    var configuration = OrderServer.Configuration.test(faults: .all(probability: 0.3, seed: seed))
    configuration.orders = (0..<30).map { index in
      OfferedOrder(
        OrderID(index), details: "{\"number\":\(index)}",
        verdict: index % 3 == 0 ? .decline(reason: "order_cancelled") : .accept,
        decidedAfter: index % 2 == 0 ? .zero : .milliseconds(20))
    }
    let server = try await OrderServer.start(configuration)
    let (ann, bob) = (Driver(server), Driver(server, token: "bob's"))
    let futures = configuration.orders.flatMap { offer in
      [("ann", offer.id, ann.taker.take(offer.id)), ("bob", offer.id, bob.taker.take(offer.id))]
        as [(DriverID, OrderID, OrderTaker<String>.Outcome)]
    }
    for (driver, order, future) in futures {
      let accepted: Bool
      do throws(OrderTakingFailure) { accepted = try await future.get().order == order } catch {
        #expect(error.kind == .declined, "\(order): \(error)")
        accepted = false
      }
      let taking = server.orders[order]?.taking
      #expect(accepted == (taking?.driver == driver && taking?.answer == .accepted), "\(order) for \(driver)")
    }
    await server.close()
  }

  @Test("the same seed leads to the same faults, and each fault has a name") func seeds() {
    func roll(_ seed: UInt64, _ probability: Double = 0.5) -> [ServerFault?] {
      var dice = FaultDice(.all(probability: probability, seed: seed))
      return (0..<100).map { dice.roll(isPush: $0 % 2 == 0).fault }
    }
    #expect(roll(1) == roll(1) && roll(1) != roll(2))
    #expect(roll(1, 0).allSatisfy { $0 == nil } && !roll(1, 1).contains(nil))
    #expect(Set(roll(1, 1)).count == ServerFault.allCases.count)
    #expect(ServerFault(rawValue: "lost-response") == .lostResponse && ServerFault(rawValue: "500") == .serverError)
    var dice = FaultDice(.none)
    dice.inject([.lostPush, .refused, .serverError])
    #expect(dice.roll(isPush: false).fault == .refused && dice.roll(isPush: false).fault == .serverError)
    #expect(dice.roll(isPush: false).fault == nil && dice.roll(isPush: true).fault == .lostPush)
  }
}
