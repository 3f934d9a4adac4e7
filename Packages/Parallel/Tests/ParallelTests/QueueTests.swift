import Dispatch
import Parallel
import TestSupport
import Testing

@Suite("receive(on:) and start(on:)")
struct QueueTests {
  let key = DispatchSpecificKey<String>()
  let queue = DispatchQueue(label: "queue")

  init() { queue.setSpecific(key: key, value: "queue") }

  private func queueName() -> Parallel<String?> {
    Parallel { [key] callback in callback(DispatchQueue.getSpecific(key: key)) }
  }

  @Test("receive(on:) a queue delivers the value there, and the work runs where run was called")
  func receiveOnQueue() async throws {
    let (work, arrival) = try await queueName().receive(on: queue)
      .map { [key] work in (work, DispatchQueue.getSpecific(key: key)) }.value()
    #expect(work == nil)
    #expect(arrival == "queue")
  }

  @Test("start(on:) a queue runs the work there")
  func startOnQueue() async throws {
    #expect(try await queueName().start(on: queue).value() == "queue")
  }

  @Test("receive(on:) and start(on:) are asynchronous, also for a ready value and from the queue itself")
  func alwaysAsynchronous() async {
    let log = Log<String>()
    await withCheckedContinuation { continuation in
      queue.async { [queue] in
        Parallel(value: "received").receive(on: queue).run { log.append($0) }
        Parallel { $0("started") }.start(on: queue).run { log.append($0) }
        log.append("returned")
        queue.async { continuation.resume() }
      }
    }
    #expect(log.all == ["returned", "received", "started"])
  }
}
