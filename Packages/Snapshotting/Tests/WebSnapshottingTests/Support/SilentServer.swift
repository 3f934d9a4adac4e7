import Foundation
import Loopback

/// Starts a server that never answers who asks it for `url`, and raises `asked` when somebody does.
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
