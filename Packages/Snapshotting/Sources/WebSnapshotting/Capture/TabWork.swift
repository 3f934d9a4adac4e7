internal import Foundation
internal import Snapshotting

extension Tab {
  /// Does work with the tab, which ends when the tab crashes, the browser ends, or time is up.
  ///
  /// - Parameters:
  ///   - limit: How long it may take.
  ///   - clock: Whose time it is.
  ///   - work: Is told where to note what it waits for.
  /// - Throws: ``WebError``; when time is up, with what was there.
  func work<Value: Sendable>(
    within limit: Duration, on clock: any Clock<Duration>,
    _ work: @escaping @Sendable (ProgressNotes) async throws -> Value
  ) async throws(WebError) -> Value {
    let notes = ProgressNotes()
    beginWork()
    do {
      let value = try await withThrowingTaskGroup(of: Value?.self) { group in
        defer { group.cancelAll() }
        group.addTask(executorPreference: BrowserExecutor.shared) { try await work(notes) }
        group.addTask(executorPreference: BrowserExecutor.shared) {
          try await self.waitForFailure()
          return nil
        }
        group.addTask(executorPreference: BrowserExecutor.shared) {
          try await clock.sleep(for: limit)
          return nil
        }
        guard case .some(.some(let value)) = try await group.next() else {
          throw WebError(kind: .timedOut, description: notes.progress.timeoutMessage(after: limit))
        }
        return value
      }
      endWork()
      return value
    } catch {
      if let failure, !(error is CancellationError) { throw await browser.explained(failure) }
      let error = WebError(error)
      guard error.kind == .timedOut || error.kind == .notFound else { throw await browser.explained(error) }
      return try await withRemains(error, on: clock)
    }
  }

  /// Throws the error with what is in the tab: a picture, the document and the console, as far as they can be had.
  private func withRemains<Value>(_ error: WebError, on clock: any Clock<Duration>) async throws(WebError) -> Value {
    var remains: [(String, Data)] = []
    let console = state.console.map { "\($0)\n" }.joined()
    // A page that never answers is not asked for long.
    let limit = Duration.seconds(10)
    if let dom = try? await bounded(limit, on: clock, doing: "the document", { try await self.text(of: Scripts.dom) }) {
      remains.append(("document.html", Data(dom.utf8)))
      let picture = try? await bounded(limit, on: clock, doing: "the picture") {
        try await self.screenshot(["format": "png"])
      }
      if let picture { remains.insert(("picture.png", picture), at: 0) }
    }
    if !console.isEmpty { remains.append(("console.txt", Data(console.utf8))) }
    throw error.attaching(remains.map { .init(data: $0.1, name: $0.0) })
  }
}

/// What a capture is waiting for, as it goes.
///
/// `@unchecked Sendable`: `lock` guards the progress.
final class ProgressNotes: @unchecked Sendable {
  private let lock = NSLock()
  private var current = Progress()

  var progress: Progress { lock.withLock { current } }

  func noteNavigation() {
    lock.withLock { current.noteNavigation() }
  }

  func wait(for next: String) {
    lock.withLock { current.wait(for: next) }
  }

  func interrupt(for other: String) {
    lock.withLock { current.interruption = other }
  }

  func endInterruption() {
    lock.withLock { current.interruption = nil }
  }
}
