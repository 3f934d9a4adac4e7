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

extension Browser {
  func console(of page: WebPage) async throws(WebError) -> String {
    try await capture(page) { tab in tab.state.consoleText }
  }
}
