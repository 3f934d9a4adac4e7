import ParallelTesting
import TestSupport
import Testing

@testable import WebSnapshotting

@Suite("Single flight", .timeLimit(.minutes(2)))
struct SingleFlightTests {
  private struct Refusal: Error {}

  private func error<Value>(_ work: () async throws -> Value) async -> (any Error)? {
    do {
      _ = try await work()
      return nil
    } catch { return error }
  }

  /// A flight of 7 that ends when the test allows it, also after its cancellation.
  private func flight(
    begun: Signal = Signal(), cancelled: Signal = Signal(), end: Signal, discarded: Log<Int> = Log()
  ) -> SingleFlight<Int> {
    SingleFlight(discard: { discarded.append($0) }) {
      begun.raise()
      await withTaskCancellationHandler {
        await end.wait()
      } onCancel: {
        cancelled.raise()
      }
      return 7
    }
  }

  @Test("all waiters receive the value or the error, before and after the end of the work")
  func outcome() async throws {
    let end = Signal()
    let (seven, none) = (flight(end: end), SingleFlight<Int>(discard: { _ in }) { throw Refusal() })
    let waiting = (0..<3).map { _ in Task { try await seven.value() } }
    end.raise()
    for task in waiting { #expect(try await task.value == 7) }
    #expect(try await seven.value() == 7)
    await #expect(throws: Refusal.self) { try await none.value() }
  }

  @Test("the last cancelled waiter cancels the work, and returns after the value was discarded")
  func lastWaiter() async throws {
    let (cancelled, end, discarded) = (Signal(), Signal(), Log<Int>())
    let work = flight(cancelled: cancelled, end: end, discarded: discarded)
    let waiting = Task { await error { try await work.value() } }
    waiting.cancel()
    await cancelled.wait()
    await #expect(throws: SingleFlight<Int>.Abandoned.self) { try await work.value() }
    end.raise()
    #expect(await waiting.value is CancellationError)
    #expect(discarded.all == [7])
  }

  @Test("a value that arrives after the work was abandoned is returned by its end")
  func abandoned() async {
    let (begun, end) = (Signal(), Signal())
    let work = flight(begun: begun, end: end)
    await begun.wait()
    work.abandon(Refusal())
    #expect(work.completed == nil)
    end.raise()
    #expect(await work.finalValue() == 7)
    await #expect(throws: SingleFlight<Int>.Abandoned.self) { try await work.value() }
  }

  @Test("a task that is cancelled before it waits cancels the work")
  func cancelledBefore() async throws {
    let work = SingleFlight(discard: { _ in }) { try await ManualClock().sleep(for: .seconds(1)) }
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await error { try await work.value() }
    }
    #expect(await task.value is CancellationError)
  }
}
