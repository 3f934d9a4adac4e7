import Foundation
import Futures
import LoopbackTesting
import OrderTaking
import OrderTakingClients
import OrderTakingJournal
import OrderTakingServer
import TestSupport
import Testing

@Suite("Restarts of a server", .timeLimit(.minutes(2))) struct RestartTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func configuration(_ offers: [OfferedOrder], port: Int = 0, pushPort: Int = 0) -> OrderServer.Configuration {
    var configuration = OrderServer.Configuration.test(offers)
    (configuration.port, configuration.pushPort) = (port, pushPort)
    return configuration
  }

  @Test("the file of a server contains the driver and the key of each order") func file() async throws {
    let offers = [
      OfferedOrder("7", details: #"{"stops":2}"#), OfferedOrder("8", verdict: .decline(reason: "late")),
      OfferedOrder("9"),
    ]
    var epoch: String?
    for round in 0..<3 {
      let store = try OrderStore.sqlite(at: folder.file("orders"))
      let server = try await OrderServer.start(configuration(offers), store: store)
      let driver = Driver(server)
      if round == 0 {
        _ = try await driver.taker.acceptance(of: "7")
        await #expect(throws: OrderTakingFailure.self) { try await driver.taker.acceptance(of: "8") }
      }
      #expect(server.orders["7"]?.taking?.answer == .accepted && server.orders["7"]?.taking?.driver == "ann")
      #expect(server.orders["8"]?.taking?.answer == .declined("late"))
      #expect(server.orders["9"]?.taking == nil)
      #expect(server.orders.pushes(to: "ann", after: 0).pushes.map(\.order) == ["7", "8"])
      let name = try store.load().epoch
      #expect(epoch == nil || epoch == name)
      epoch = name
      await server.stop()
    }
  }

  @Test("a restarted server makes pending decisions and pushes them to clients that reconnect") func processing()
    async throws
  {
    let offers = [OfferedOrder("7", decidedAfter: .milliseconds(40))]
    let clock = Locked<[@Sendable () -> Void]>([])
    // The first server never decides.
    let idle = Timers(
      schedule: { _, callback in
        clock.withLock { $0.append(callback) }
        return {}
      }, now: { Moment(sinceEpoch: .zero, sinceBoot: .zero) })
    let first = try await OrderServer.start(
      configuration(offers), store: try .sqlite(at: folder.file("orders")), timers: idle)
    let (checkpoints, checkpoint) = AsyncStream.makeStream(of: TakingCheckpoint.self)
    let memory = Journal<String>.inMemory()
    var journal = memory
    journal.write = { record in
      checkpoint.yield(record.checkpoint)
      return memory.write(record)
    }
    let driver = Driver(first, policy: .pushOnly, journal: journal)
    let future = driver.taker.take("7")
    for await checkpoint in checkpoints where checkpoint == .acknowledged { break }
    await first.stop()
    // A failed start leaves the store open and frees its ports.
    let store = try OrderStore.sqlite(at: folder.file("orders"))
    var second: OrderServer?
    while second == nil {
      try Task.checkCancellation()
      await Task.yield()
      do {
        second = try await OrderServer.start(
          configuration(offers, port: first.port, pushPort: first.pushPort), store: store)
      } catch {
        // Another test can briefly use the port, because tests listen on any free port.
        try #require(error.kind == .port)
      }
    }
    #expect(try await future.get().details == "{}")
    #expect(driver.steps.pushedResultCount == 1)
    await second?.stop()
  }

  @Test("a client that reconnects receives the decisions that it missed") func away() async throws {
    let server = try await OrderServer.start(.test([OfferedOrder("7", decidedAfter: .milliseconds(1))]))
    var configuration = PushConfiguration.quick
    // The client must reconnect after the decision.
    configuration.reconnect = .constant(.milliseconds(100))
    let driver = Driver(server, policy: .pushOnly, configuration: configuration)
    await driver.sees { $0 == .subscribed(after: 0) }
    await server.restart()
    let future = driver.taker.take("7")
    #expect(try await future.get().details == "{}")
    #expect(driver.steps.pushedResultCount == 1)
    await server.stop()
  }

  @Test("the error of a start names the port in use or the closed store") func notStarted() async throws {
    let server = try await OrderServer.start()
    var configuration = OrderServer.Configuration()
    configuration.port = server.port
    let taken = await #expect(throws: OrderServerError.self) { try await OrderServer.start(configuration) }
    #expect(taken?.kind == .port && taken?.description.contains("\(server.port)") == true)
    let store = try OrderStore.sqlite(at: folder.file("closed"))
    store.close()
    let closed = await #expect(throws: OrderServerError.self) { try await OrderServer.start(store: store) }
    #expect(closed?.kind == .store && closed?.description.contains("it is closed") == true)
    await server.stop()
  }

  @Test("a start that fails at one port frees the other port") func halfStarted() async throws {
    let server = try await OrderServer.start()
    var configuration = OrderServer.Configuration()
    configuration.pushPort = server.pushPort
    var held = 0
    for _ in 1...100 {
      let free = try await OrderServer.start()
      await free.stop()
      configuration.port = free.port
      for _ in 1...2 {
        let error = await #expect(throws: OrderServerError.self) { try await OrderServer.start(configuration) }
        if error?.description.contains("\(free.port)") == true { held += 1 }
      }
    }
    // Another test can use one of the ports, because tests listen on any free port.
    #expect(held < 5)
    await server.stop()
  }

  @Test("the file of another server or of another program is rejected unchanged") func refused() async throws {
    let store = try OrderStore.sqlite(at: folder.file("orders"))
    let error = #expect(throws: OrderStoreError.self) { try OrderStore.sqlite(at: folder.file("orders")) }
    #expect(error?.description.contains("It is already open in this process or another one") == true)
    store.close()
    #expect(throws: OrderStoreError.self) { try store.load() }
    #expect(throws: Never.self) { try OrderStore.sqlite(at: folder.file("orders")).close() }
    let missing = #expect(throws: OrderStoreError.self) { try OrderStore.sqlite(at: folder.file("no/such/folder")) }
    #expect(missing?.description.hasSuffix("Check that its folder exists and is writable.") == true)
    for (statements, reason) in [
      ("CREATE TABLE bookmarks (url TEXT)", "another program's database"),
      ("PRAGMA user_version = 2", "another release wrote it"),
    ] {
      let path = folder.file(statements.contains("user_version") ? "orders" : "bookmarks")
      do {
        let database = try Database(at: path)
        try database.execute(statements)
        database.close()
      }
      let bytes = try Data(contentsOf: URL(filePath: path))
      let error = #expect(throws: OrderStoreError.self) { try OrderStore.sqlite(at: path) }
      #expect(error?.description.contains(reason) == true && error?.description.contains(path) == true)
      #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
    }
    let letter = Data("Dear Ann, the parcels are late.".utf8)
    try letter.write(to: URL(filePath: folder.file("letter")))
    #expect(throws: OrderStoreError.self) { try OrderStore.sqlite(at: folder.file("letter")) }
    #expect(try Data(contentsOf: URL(filePath: folder.file("letter"))) == letter)
  }

  @Test("a journal is rejected as a store, and a store as a journal, unchanged") func journal() throws {
    let (journal, state) = (folder.file("journal"), folder.file("state"))
    try SQLiteJournal<String>(at: journal, server: "test").close()
    try OrderStore.sqlite(at: state).close()
    let bytes = try [journal, state].map { try Data(contentsOf: URL(filePath: $0)) }
    let store = #expect(throws: OrderStoreError.self) { try OrderStore.sqlite(at: journal) }
    #expect(store?.description.hasSuffix("\(journal): it is an order journal. Use another file.") == true)
    let error = #expect(throws: JournalError.self) { try SQLiteJournal<String>(at: state, server: "test") }
    #expect(error?.kind == .foreign)
    #expect(error?.description.contains("\(state): the file is the state of an order server, and was not") == true)
    #expect(try [journal, state].map { try Data(contentsOf: URL(filePath: $0)) } == bytes)
  }

  @Test(
    "the next step after a failure of a file depends on its cause",
    arguments: [
      (13, 0, "Free disk space"), (778, ENOSPC, "Free disk space"), (8, 0, "Check the permissions"),
      (14, EACCES, "Check the permissions"), (14, EMFILE, "'ulimit -n'"), (14, ENOENT, "Check that its folder exists"),
      (10, EIO, "Check the disk"), (11, 0, "from a backup"), (26, 0, "Use another file"),
      (7, 0, "Free some memory"),
    ] as [(Int32, Int32, String)])
  func nextStep(code: Int32, systemCode: Int32, start: String) {
    #expect(Database.Refusal(code: code, message: "", systemCode: systemCode).nextStep.contains(start))
  }

  @Test("a decision that cannot be stored is made again a second later") func undecided() async throws {
    let (isFull, memory) = (Locked(false), OrderStore.inMemory())
    let store = OrderStore(
      load: memory.load,
      save: { entries, epoch throws(OrderStoreError) in
        if isFull.withLock({ $0 }) { throw OrderStoreError("full") }
        try memory.save(entries, epoch)
      })
    // Only the timers that the test fires advance the time.
    let due = Locked<[(delay: Duration, call: @Sendable () -> Void)]>([])
    let (scheduled, schedule) = AsyncStream.makeStream(of: Duration.self)
    let timers = Timers(
      schedule: { delay, callback in
        due.withLock { $0.append((delay, callback)) }
        schedule.yield(delay)
        return {}
      }, now: { Moment(sinceEpoch: .zero, sinceBoot: .zero) })
    func pass(_ delay: Duration) {
      let calls = due.withLock { due in
        defer { due.removeAll { $0.delay == delay } }
        return due.filter { $0.delay == delay }
      }
      for (_, call) in calls { call() }
    }
    let (events, event) = AsyncStream.makeStream(of: OrderServerEvent.self)
    let server = try await OrderServer.start(
      .test([OfferedOrder("7", decidedAfter: .seconds(3))]), store: store, timers: timers, log: { event.yield($0) })
    let socket = try RawClient(port: server.port)
    await socket.send(
      "PUT /orders/7/taking HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer ann's\r\n"
        + "Idempotency-Key: \(IdempotencyKey(high: 0, low: 1))\r\nContent-Length: 0\r\n\r\n")
    #expect(await socket.rest().text.hasPrefix("HTTP/1.1 202"))
    isFull.withLock { $0 = true }
    let push = try RawClient(port: server.pushPort)
    await push.send(#"{"type":"subscribe","token":"ann's"}"# + "\n")
    #expect(await push.readLine()?.contains("welcome") == true)
    pass(.seconds(3))
    for await event in events { if case .storingFailed = event { break } }
    #expect(server.orders["7"]?.taking?.answer == .processing)
    isFull.withLock { $0 = false }
    for await delay in scheduled where delay == .seconds(1) { break }
    pass(.seconds(1))
    #expect(await push.readLine()?.contains(#""result":"accepted""#) == true)
    #expect(server.orders["7"]?.taking?.answer == .accepted)
    await server.stop(grace: .zero)
  }

  @Test("a server that cannot store answers 503 and takes nothing") func unstored() async throws {
    let isFull = Locked(true)
    let memory = OrderStore.inMemory()
    let store = OrderStore(
      load: memory.load,
      save: { entries, epoch throws(OrderStoreError) in
        if entries.contains(where: { $0.taking != nil }), isFull.withLock({ $0 }) { throw OrderStoreError("full") }
        try memory.save(entries, epoch)
      })
    let events = Locked<[OrderServerEvent]>([])
    let server = try await OrderServer.start(.test([OfferedOrder("7")]), store: store) { event in
      events.withLock { $0.append(event) }
      if case .request(_, _, _, 503?, _) = event { isFull.withLock { $0 = false } }
    }
    let driver = Driver(server)
    #expect(try await driver.taker.acceptance(of: "7").details == "{}")
    #expect(driver.steps.putCount == 2)
    #expect(events.withLock { $0.contains(.storingFailed(OrderStoreError("full"))) })
    await server.stop()
  }

  @Test("a graceful stop sends a goodbye, finishes current requests, and frees the ports") func stop() async throws {
    let (events, event) = AsyncStream.makeStream(of: OrderServerEvent.self)
    let hasRestarted = Locked(false)
    let server = try await OrderServer.start(
      .test([OfferedOrder("7")], faults: try ServerFaults("latency=200ms"))
    ) { happened in
      if happened == .restarted { hasRestarted.withLock { $0 = true } }
      event.yield(happened)
    }
    let push = try RawClient(port: server.pushPort)
    await push.send(#"{"type":"subscribe","token":"ann's"}"# + "\n")
    #expect(await push.readLine()?.contains("welcome") == true)
    let http = try RawClient(port: server.port)
    await http.send("GET /orders HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ann's\r\n\r\n")
    for await event in events { if case .request = event { break } }
    await server.stop()
    let answer = await http.rest()
    #expect(
      answer.text.hasPrefix("HTTP/1.1 200") && answer.text.hasSuffix(#"{"orders":["7"]}"#),
      "the delayed response was sent")
    let rest = await push.rest()
    #expect(rest.text.hasSuffix(#"{"reason":"stopping","type":"goodbye"}"# + "\n") && rest.end == .endOfFile)
    await server.stop()
    await server.restart()
    #expect(throws: RawClient.Failure.self) { try RawClient(port: server.port) }
    #expect(throws: RawClient.Failure.self) { try RawClient(port: server.pushPort) }
    #expect(!hasRestarted.withLock { $0 })
  }
}
