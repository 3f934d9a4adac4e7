internal import Loopback
internal import OrderTakingServer
internal import WebSnapshotting

/// A server, a session or a browser, which must be closed after its use.
protocol Resource: Sendable {
  func close() async
}

extension Resource {
  /// Runs `body` with the resource, and closes it afterwards, also after an error and in a cancelled task.
  func use<Value: Sendable>(
    isolation: isolated (any Actor)? = #isolation, _ body: (Self) async throws -> Value
  ) async throws -> Value {
    do {
      let value = try await body(self)
      await close()
      return value
    } catch {
      await close()
      throw error
    }
  }
}

extension HTTPServer: Resource {
  func close() async { await stop(grace: .zero) }
}

extension OrderServer: Resource {
  func close() async { await close(grace: .zero) }
}

extension Browser: Resource {}
