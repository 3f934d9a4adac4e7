// A client of `OrderTaking`: an order taker with custom clients, and the state machine alone.

import Futures
import OrderTaking

struct Parcel: Sendable { var weight: Int }

func taker(
  put: @escaping @Sendable (String, [UInt8]) -> Future<TakingAnswer, HTTPError>,
  get: @escaping @Sendable (String) -> Future<TakingAnswer, HTTPError>
) -> OrderTaker<String, Parcel> {
  var policy = TakingPolicy.standard
  policy.deadline = .seconds(30)
  return OrderTaker(
    httpClient: OrderHTTPClient(
      take: { intent in put(intent.key.description, intent.body) },
      takingOperationStatus: { intent in get(intent.order) },
      acceptedOrderDetails: { _ in Future(value: Parcel(weight: 1)) }), journal: .inMemory(),
    policy: policy)
}

func weight(of order: String, with taker: OrderTaker<String, Parcel>) async throws(OrderTakingFailure) -> Int? {
  try await taker.acceptance(of: order).details?.weight
}

func reconciled(_ order: String, with taker: OrderTaker<String, Parcel>) async throws(OrderTakingFailure) -> Parcel? {
  var brief = TakingPolicy.standard
  brief.deadline = .seconds(5)
  return try await taker.reconcile(order, under: brief).get().details
}

func isOpen(_ failure: OrderTakingFailure) -> Bool { failure.kind == .unknown }

func asksFirst() -> Bool {
  var operation = TakingOperation(key: IdempotencyKey(high: 1, low: 2))
  let now = Moment(sinceEpoch: .seconds(1_700_000_000), sinceBoot: .seconds(60), boot: 1)
  guard case .persist(.begun)? = operation.handle(.begin, at: now, under: .deck).first else { return false }
  operation.handle(.persisted(.begun), at: now, under: .deck)
  return operation.phase == .putting(mayHaveArrived: false)
}
