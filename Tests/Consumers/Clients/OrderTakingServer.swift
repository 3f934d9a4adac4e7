// A client of `OrderTakingServer`: a development server, and its decisions without a socket.

import OrderTaking
import OrderTakingServer

func server(failing specification: String, keeping path: String) async throws -> OrderServer {
  try await OrderServer.start(
    .init(
      offers: [OfferedOrder("7", details: #"{"stops":2}"#, decidedAfter: .seconds(3))], credentials: ["secret": "ann"],
      faults: try ServerFaults(specification), seed: 7),
    store: try .sqlite(at: path)
  ) { event in
    if case .request(_, let path, _, nil, _) = event { print("no answer for", path) }
  }
}

func isGivenOnce() -> Bool {
  var state = DispatchState([OfferedOrder("7")], credentials: ["a": "ann", "b": "bob"])
  let first = state.handle(
    .take(order: "7", key: "00000000000000000000000000000001", digest: nil, body: []), token: "a", at: .zero)
  let (_, second) = state.handling(
    .take(order: "7", key: "00000000000000000000000000000002", digest: nil, body: []), token: "b", at: .zero)
  return first.response.status == 200 && second.response.status == 422 && state["7"]?.taking?.driver == "ann"
}
