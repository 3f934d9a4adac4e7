// A client of `OrderTaking`: an order taker with custom clients, and the state machine alone.

import Futures
import OrderTaking

struct Parcel: Sendable { var weight: Int }

func taker(
  put: @escaping @Sendable (String, [UInt8]) -> Future<TakingAnswer, HTTPError>,
  get: @escaping @Sendable (String) -> Future<TakingAnswer, HTTPError>
) -> OrderTaker<String, Parcel> {
  var policy = TakingPolicy.standard
  policy.budget = .seconds(30)
  return OrderTaker(
    httpClient: HTTPClient(
      take: { intent in put(intent.key.description, intent.body) },
      takingOperationStatus: { intent in get(intent.order) },
      acceptedOrderDetails: { _ in Future(value: Parcel(weight: 1)) }), journal: .inMemory(),
    policy: policy)
}

func weight(of order: String, with taker: OrderTaker<String, Parcel>) async throws(OrderTakingFailure) -> Int? {
  try await taker.acceptance(of: order).details?.weight
}

func settled(_ order: String, with taker: OrderTaker<String, Parcel>) async throws(OrderTakingFailure) -> Parcel? {
  var brief = TakingPolicy.standard
  brief.budget = .seconds(5)
  return try await taker.settle(order, under: brief).get().details
}

func isOpen(_ failure: OrderTakingFailure) -> Bool { failure.kind == .unknown }

func asksFirst() -> Bool {
  let operation = TakingOperation<Int, Parcel>(TakingIntent(order: 7, key: IdempotencyKey(high: 1, low: 2)))
  let (begun, effects) = operation.handling(.begin, under: .deck)
  guard case .record(.begun)? = effects.first else { return false }
  return begun.phase == .putNotAcknowledged
}
