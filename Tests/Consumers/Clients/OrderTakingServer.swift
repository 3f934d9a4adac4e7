// A client of `OrderTakingServer`: a development server.

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
