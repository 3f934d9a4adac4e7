import Foundation
import Loopback
import TestSupport

@testable import Demo

/// Runs `body` with a server, a client of that server and a log of the server's requests.
///
/// Afterwards it closes the client and stops the server.
@MainActor
func withServer<Value>(
  _ router: Router, _ body: (HTTPServer, ContentClient, Log<HTTPRequest>) async throws -> Value
) async throws -> Value {
  let log = Log<HTTPRequest>()
  let server = try await HTTPServer.start(
    router.mapReplies { request, reply in
      log.append(request)
      return reply
    })
  let client = ContentClient(server: server.url, within: .seconds(60))
  let result: Result<Value, any Error>
  do { result = .success(try await body(server, client, log)) } catch { result = .failure(error) }
  client.close()
  await server.stop(grace: .zero)
  return try result.get()
}
