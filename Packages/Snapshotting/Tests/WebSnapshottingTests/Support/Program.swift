import Foundation
import Testing

@testable import WebSnapshotting

/// Returns the path of a fake browser.
///
/// It is a file in the sources. Another test might start a process while a new file is still open for writing, and the
/// file could not be executed then.
func program(_ name: String) throws -> String {
  try #require(Bundle.module.url(forResource: "Programs/\(name)", withExtension: nil)).path
}

func failure<Value>(_ work: () async throws -> Value) async -> WebError? {
  do {
    _ = try await work()
    return nil
  } catch {
    return WebError(error)
  }
}
