import Loopback

let server = try await HTTPServer.start(Router { Route(.get, "/hello") { _ in .text("Hello") } })
precondition(server.url.absoluteString.hasPrefix("http://127.0.0.1:"))
await server.stop()
