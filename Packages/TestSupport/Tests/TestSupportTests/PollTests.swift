import TestSupport
import Testing

@Suite("poll", .timeLimit(.minutes(1)))
struct PollTests {
  private struct Failure: Error {}

  @Test("poll returns when its condition no longer holds")
  func returns() async throws {
    var checks = 0
    func holds() -> Bool {
      checks += 1
      return checks < 3
    }
    try await poll(while: holds())
    #expect(checks == 3)
  }

  @Test("poll ends when its task is cancelled")
  func cancelled() async {
    let task = Task { try await poll(while: true) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("poll throws the error of its condition")
  func failing() async {
    func fails() throws -> Bool { throw Failure() }
    await #expect(throws: Failure.self) { try await poll(while: try fails()) }
  }
}
