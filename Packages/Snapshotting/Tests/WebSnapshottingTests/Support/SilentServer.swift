import Foundation
import Loopback

/// Starts a server that never responds at `url`, and raises `asked` at a request.
func startSilentServer(_ asked: Signal) async throws -> (server: HTTPServer, url: URL) {
  let server = try await HTTPServer.start(
    Router {
      Route(.get, "/never") { _ in
        asked.raise()
        return HTTPReply.never
      }
    })
  return (server, server.url.appending(path: "never"))
}
