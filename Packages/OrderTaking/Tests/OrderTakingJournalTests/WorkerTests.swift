import Futures
import OrderTaking
import OrderTakingJournal
import Testing

@Suite("A worker with an SQLite file", .timeLimit(.minutes(5))) struct WorkerTests {
  let folder = Folder()

  @Test("a worker leaves an order to the taker of its process that works on it", arguments: [true, false])
  func besideTaker(inMemory: Bool) async throws {
    let storage = inMemory ? JournalStorage.inMemory() : try folder.open().storage
    // The server first turns the taker away, and would accept the PUT of a worker.
    var busy = HTTPError.status(429)
    busy.retryAfter = .seconds(60)
    let replies = Locked<[Result<TakingAnswer, HTTPError>]>([.failure(busy), .success(.accepted)])
    let (pauses, pause) = AsyncStream<Void>.makeStream()
    let client = OrderHTTPClient<Int>(
      take: { _ in Future(result: replies.withLock { $0.removeFirst() }) },
      takingOperationStatus: { _ in Future(value: .accepted) }, acceptedOrderDetails: { _ in Future(value: 0) })
    let taker = OrderTaker(
      httpClient: client, journal: storage.journal("ann"), deliveringOn: immediateExecutionContext,
      observer: Observer { event in
        if case .progress(let progress) = event, case .report(.retrying) = progress.step { pause.yield() }
      })
    let taken = taker.take("7")
    _ = await pauses.first { true }

    // The worker reads the due orders of ann first, then those of bob.
    try await storage.journal("bob").write(record(8, .ended(.expired))).get()
    let (deliveries, send) = AsyncStream<OrderWorker<Int>.Delivery>.makeStream()
    let worker = OrderWorker<Int>(storage: storage, clients: { _, _ in (client, .none) }, deliver: { send.yield($0) })
    let run = Task { try await worker.run() }
    #expect(await deliveries.first { _ in true }?.order == "8")
    taker.cancel("7")
    #expect(await #expect(throws: OrderTakingFailure.self) { try await taken.get() }?.kind == .cancelled)
    #expect(try await storage.journal("ann").record("7").get()?.checkpoint == .ended(.cancelled))
    run.cancel()
    try await run.value
    #expect(replies.withLock { $0.count } == 1)
    try await storage.close().get()
  }
}
