import Foundation
import Loopback

/// A server that answers nothing to whoever asks it for `url`, and the signal that somebody has.
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
