import Foundation
import Testing

@testable import WebSnapshotting

/// A program that stands in for a browser.
///
/// It is a file of the tests: one that is written while they run may still be open for writing in a process that
/// another test is starting, and cannot be run then.
func program(_ name: String) throws -> String {
  try #require(Bundle.module.url(forResource: "Programs/\(name)", withExtension: nil)).path
}

/// The error of work that is to fail.
func failure<Value>(_ work: () async throws -> Value) async -> WebError? {
  do {
    _ = try await work()
    return nil
  } catch {
    return WebError(error)
  }
}
