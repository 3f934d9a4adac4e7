// A client of `Loopback`: a server whose routes are functions.

import Loopback

func start() async throws -> HTTPServer {
  try await HTTPServer.start(
    Router {
      Route(.get, "/hello") { _ in .text("Hello") }
    })
}
