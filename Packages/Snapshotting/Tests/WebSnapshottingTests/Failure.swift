import Foundation

@testable import WebSnapshotting

func failure<Value>(_ work: () async throws -> Value) async -> WebError? {
  do {
    _ = try await work()
    return nil
  } catch {
    return WebError(error)
  }
}
