import Futures
import OrderTaking
import OrderTakingTesting
import ParallelTesting
import Testing

/// The deck's six tests, by name, with its times on a clock that the test moves.
@Suite("The deck's tests") struct DeckTests {
  typealias World = Experiment<String>
  let etherOrder: OrderID = 7
  let error500 = HTTPError.status(500)

  func error422(declineReason: String) -> HTTPError { .status(422, declineReason: declineReason) }

  @Test("order successfully accepted on PUT-request") func testSimpleTakeOnFirstPutRequest() {
    let experiment = World(putRequestResults: [.accepted], orderDetailsResults: [.details("details")])
    let future = experiment.setup().take(etherOrder)
    experiment.clock.advance(by: .milliseconds(100))
    #expect(future.value == AcceptedOrder(order: etherOrder, details: "details"))
  }

  @Test("order declined on PUT-request") func testSimpleFailOnFirstPutRequest() {
    let experiment = World(putRequestResults: [.error(error422(declineReason: "order_cancelled"))])
    let future = experiment.setup().take(etherOrder)
    experiment.clock.advance(by: .milliseconds(100))
    #expect(future.error?.reason == "order_cancelled")
    #expect(future.error?.kind == .declined)
  }

  @Test("order successfully accepted on PUT-request after 4 retries") func testSimpleTakeOnFifthPutRequest() {
    let experiment = World(
      putRequestResults: [.error(error500), .error(error500), .error(error500), .error(error500), .accepted],
      orderDetailsResults: [.details("details")])
    let future = experiment.setup().take(etherOrder)
    experiment.clock.advance(by: .milliseconds(100))
    #expect(future.value?.order == etherOrder)
    #expect(experiment.requests.map(\.at) == [0, 1, 2, 3, 4, 4].map { .milliseconds($0) })
  }

  @Test("order successfully accepted by tcp packet while PUT-request returns processing")
  func testTCPAcceptDuringFirstPutRequest() {
    let experiment = World(
      putRequestResults: [.longProcessing(.milliseconds(100))], orderDetailsResults: [.details("details")])
    let future = experiment.setup().take(etherOrder)
    experiment.sendPushAccept(for: etherOrder, after: .milliseconds(10))
    experiment.clock.advance(by: .milliseconds(200))
    #expect(future.value?.order == etherOrder)
    #expect(experiment.requests.last?.at == .milliseconds(10))
  }

  @Test("order declined by tcp packet while PUT-request fails") func testTCPDeclineDuringPutRequestFailing() {
    let experiment = World(
      putRequestResults: Array(repeating: .longError(error500, .milliseconds(100)), count: 3))
    let future = experiment.setup().take(etherOrder)
    experiment.sendPushReject(for: etherOrder, after: .milliseconds(180), reason: "order_cancelled")
    experiment.clock.advance(by: .milliseconds(179))
    #expect(!future.isCompleted)
    experiment.clock.advance(by: .milliseconds(21))
    #expect(future.error?.reason == "order_cancelled")
  }

  @Test("order details are requested right after it is known to be accepted")
  func testNoDelayBetweenPUTSuccessAndDetailsRequest() {
    let experiment = World(putRequestResults: [.accepted], orderDetailsResults: [.details("details")])
    let policy = TakingPolicy.deck(
      intervalBetweenRetries: .milliseconds(200), delayBeforeFirstGetRequest: .milliseconds(200))
    let future = experiment.setup(policy: policy).take(etherOrder)
    #expect(future.value?.order == etherOrder)
    #expect(experiment.requests.map(\.at) == [.zero, .zero])
  }
}
