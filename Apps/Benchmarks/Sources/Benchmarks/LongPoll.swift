import BenchmarkHarness
import Dispatch
import Foundation
import Futures
import OrderTaking
import OrderTakingTesting

/// An operation that polls many times and then ends, on a thread with a stack of 512 KB.
final class LongPoll: Sendable {
  enum End: String, CaseIterable, Sendable { case accepted, push, cancel }

  private let timer = OneTimer()
  private let pushes = PushClientMock<Int>()
  private let meter = StackMeter()
  private let taker: OrderTaker<Int, Int>
  private let polls: Int

  init(polls: Int) {
    self.polls = polls
    let rest = Countdown(polls)
    taker = OrderTaker(
      httpClient: OrderHTTPClient(
        take: { _ in Future(value: .processing) },
        takingOperationStatus: { [meter] _ in
          meter.note(0)
          return Future(value: rest.next() ? .processing : .accepted)
        },
        acceptedOrderDetails: { [meter] order in Future(value: meter.note(order)) }),
      pushClient: pushes.client, journal: .inMemory(), policy: .deck, timers: timer.timers,
      deliveringOn: immediateExecutionContext)
  }

  /// Polls to the end and returns the used bytes of the stack.
  func stack(until end: End) -> Int {
    StackMeter.depth(stackSize: 512 << 10, meter) { _ in
      let future = self.begin()
      self.poll()
      self.finish(end, future)
    }
  }

  /// Returns the bytes that stay allocated after all polls, without those of the first 100 polls.
  static func kept(polls: Int, until end: End) async -> Int {
    let poll = LongPoll(polls: polls)
    let future = poll.begin()
    for _ in 0..<100 { poll.timer.fire() }
    let counted = await AllocationMeter.count { for _ in 0..<polls - 100 { poll.timer.fire() } }
    poll.finish(end, future)
    return Int(counted.liveBytes)
  }

  private func begin() -> Future<AcceptedOrder<Int, Int>, OrderTakingFailure> {
    taker.take(7).onComplete(immediateExecutionContext) { [meter] _ in meter.note(0) }
  }

  private func poll() {
    for _ in 0..<polls { timer.fire() }
  }

  private func finish(_ end: End, _ future: Future<AcceptedOrder<Int, Int>, OrderTakingFailure>) {
    precondition(!future.isCompleted)
    switch end {
    case .accepted: timer.fire()
    case .push: pushes.send(.accepted, for: 7)
    case .cancel: taker.cancel(7)
    }
    precondition(end == .cancel ? future.error?.kind == .unknown : future.value?.details == 7)
  }
}

/// The only timer of an operation without timeouts, fired by hand.
///
/// `@unchecked Sendable`: one thread uses it.
private final class OneTimer: @unchecked Sendable {
  private var callback: (@Sendable () -> Void)?

  var timers: Timers {
    Timers(
      schedule: { _, callback in
        self.callback = callback
        return { self.callback = nil }
      },
      now: { Moment(sinceEpoch: .zero, sinceBoot: .zero) })
  }

  func fire() {
    let due = callback
    callback = nil
    due?()
  }
}

/// `@unchecked Sendable`: one thread uses it.
private final class Countdown: @unchecked Sendable {
  private var rest: Int

  init(_ count: Int) { rest = count }

  func next() -> Bool {
    rest -= 1
    return rest >= 0
  }
}
