import ParallelTesting
import TestSupport
import Testing

@testable import WebSnapshotting

@Suite("Work that is done once for all who wait for it", .timeLimit(.minutes(2)))
struct SharedWorkTests {
  private struct Refusal: Error {}

  private func reason<Value>(_ work: () async throws -> Value) async -> (any Error)? {
    do {
      _ = try await work()
      return nil
    } catch { return error }
  }

  @Test("All get what comes of it, before and afterwards, value or error")
  func outcome() async throws {
    let clock = ManualClock()
    let (seven, none) = (
      SharedWork {
        try await clock.sleep(for: .seconds(1))
        return 7
      }, SharedWork<Int> { throw Refusal() }
    )
    let waiting = (0..<3).map { _ in Task { try await seven.value() } }
    try await clock.advanceToNextSleep()
    for task in waiting { #expect(try await task.value == 7) }
    #expect(try await seven.value() == 7)
    await #expect(throws: Refusal.self) { try await none.value() }
  }

  @Test("It is cancelled when the last one who waited is, who goes on when it has ended; nobody joins it then")
  func givenUp() async throws {
    let (isCancelled, mayEnd, hasEnded) = (Signal(), Signal(), Signal())
    let work = SharedWork {
      await withTaskCancellationHandler {
        await mayEnd.wait()
      } onCancel: {
        isCancelled.raise()
      }
      hasEnded.raise()
    }
    let waiting = Task { await reason { try await work.value() } }
    waiting.cancel()
    await isCancelled.wait()
    await #expect(throws: SharedWork<Void>.GivenUp.self) { try await work.value() }
    mayEnd.raise()
    #expect(await waiting.value is CancellationError)
    #expect(hasEnded.hasBeenRaised)
  }

  @Test("What was there before it could be cancelled is handed to whoever waits for its end")
  func tooLate() async {
    let (hasBegun, mayEnd) = (Signal(), Signal())
    let work = SharedWork {
      hasBegun.raise()
      await mayEnd.wait()
      return 7
    }
    await hasBegun.wait()
    #expect(work.giveUp(Refusal()) == nil)
    mayEnd.raise()
    #expect(await work.finished() == 7)
    await #expect(throws: SharedWork<Int>.GivenUp.self) { try await work.value() }
  }

  @Test("What was there before it could be cancelled is discarded before the last one who waited goes on")
  func discarded() async {
    let (isCancelled, mayEnd) = (Signal(), Signal())
    let discarded = Log<Int>()
    let work = SharedWork(discardingBy: { discarded.append($0) }) {
      await withTaskCancellationHandler {
        await mayEnd.wait()
      } onCancel: {
        isCancelled.raise()
      }
      return 7
    }
    let waiting = Task { await reason { try await work.value() } }
    waiting.cancel()
    await isCancelled.wait()
    mayEnd.raise()
    #expect(await waiting.value is CancellationError)
    #expect(discarded.all == [7])
  }

  @Test("Who is cancelled before waiting leaves as well")
  func early() async throws {
    let work = SharedWork { try await ManualClock().sleep(for: .seconds(1)) }
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await reason { try await work.value() }
    }
    #expect(await task.value is CancellationError)
  }
}
