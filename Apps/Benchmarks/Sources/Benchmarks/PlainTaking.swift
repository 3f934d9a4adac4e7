import Foundation
import OrderTaking
import Synchronization

/// The algorithm of *the deck*, the slides of *Reasons to love functional programming*, in plain Swift concurrency.
///
/// An `async` function for each order races its requests with the push in a task group, and pauses with `Task.sleep`.
/// It lacks a journal, a log, an observer and cancellation.
struct PlainTaking: Sendable {
  let server: ServerInMemory
  let pushes = PlainPushes()
  let interval: Duration

  /// Takes an order and returns its details.
  func take(_ order: Int) async -> Int? {
    let isAccepted = await withTaskGroup(of: Bool?.self) { group in
      group.addTask { await request(order) }
      group.addTask { await pushes.next(for: order) }
      defer { group.cancelAll() }
      for await result in group {
        if let result { return result }
      }
      return false
    }
    guard isAccepted else { return nil }
    while true {
      if case .success(let details) = server.details(order) { return details }
      try? await Task.sleep(for: interval)
    }
  }

  private func request(_ order: Int) async -> Bool? {
    var isAcknowledged = false
    while !Task.isCancelled {
      switch isAcknowledged ? server.get(order) : server.put(order) {
      case .success(.accepted): return true
      case .success(.declined): return false
      case .success(.processing): isAcknowledged = true
      case .failure(let error):
        if error.declineReason != nil { return false }
      }
      try? await Task.sleep(for: interval)
    }
    return nil
  }
}

/// The push client of the plain functions: one waiter for each order.
///
/// `@unchecked Sendable`: `waiting` is touched only while `lock` is held.
final class PlainPushes: @unchecked Sendable {
  private let lock = NSLock()
  private var waiting: [Int: CheckedContinuation<Bool?, Never>] = [:]

  var count: Int { lock.withLock { waiting.count } }

  /// Waits for the next push for an order; returns `nil` when the task is cancelled.
  func next(for order: Int) async -> Bool? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isLate = lock.withLock {
          if Task.isCancelled { return true }
          waiting[order] = continuation
          return false
        }
        if isLate { continuation.resume(returning: nil) }
      }
    } onCancel: {
      send(nil, for: order)
    }
  }

  func send(_ isAccepted: Bool?, for order: Int) {
    lock.withLock { waiting.removeValue(forKey: order) }?.resume(returning: isAccepted)
  }
}

/// A server in memory that responds synchronously.
///
/// It responds with *processing* to the PUT and two GETs, then with *accepted*. The first request for details fails.
///
/// `@unchecked Sendable`: each order has its own byte, and its requests come one after the other.
final class ServerInMemory: @unchecked Sendable {
  private let asked: UnsafeMutablePointer<UInt8>
  private let count: Int
  private let acceptsAtOnce: Bool

  /// - Parameter acceptsAtOnce: Whether every first request succeeds instead.
  init(orders count: Int, acceptsAtOnce: Bool = false) {
    asked = .allocate(capacity: count)
    asked.initialize(repeating: 0, count: count)
    self.count = count
    self.acceptsAtOnce = acceptsAtOnce
  }

  deinit { asked.deallocate() }

  func put(_ order: Int) -> Result<TakingAnswer, HTTPError> { .success(acceptsAtOnce ? .accepted : .processing) }

  func get(_ order: Int) -> Result<TakingAnswer, HTTPError> {
    asked[order] += 1
    return .success(asked[order] < 3 ? .processing : .accepted)
  }

  func details(_ order: Int) -> Result<Int, HTTPError> {
    guard !acceptsAtOnce, asked[order] < 4 else { return .success(order) }
    asked[order] = 4
    return .failure(.status(500))
  }
}
