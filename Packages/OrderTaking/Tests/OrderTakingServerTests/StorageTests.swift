import Foundation
import Futures
import LoopbackTesting
import OrderTaking
import OrderTakingClients
import OrderTakingDispatch
import OrderTakingJournal
import OrderTakingTesting
import ParallelTesting
import TestSupport
import Testing

@testable import OrderTakingServer

@Suite("The storage of a server", .timeLimit(.minutes(5))) struct StorageTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  var file: OrderStorage { .file(folder.file("orders")) }

  @Test("a server that opens the file again has the same orders, drivers, keys and pushes") func file() async throws {
    let (composed, decomposed): (OrderID, OrderID) = ("\u{E9}", "e\u{301}")
    let orders = [
      OfferedOrder(composed, details: #"{"stops":2}"#), OfferedOrder(decomposed, verdict: .decline(reason: "late")),
      OfferedOrder("9"),
    ]
    var welcomes: [String?] = []
    for round in 0..<3 {
      let server = try await OrderServer.start(.test(orders[0], orders[1], orders[2], storage: file))
      if round == 0 {
        let first = try await RawClient.taking("%C3%A9", key: 1, from: server)
        #expect(first.hasSuffix(#"{"result":"accepted"}"#))
        #expect(try await RawClient.taking("e%CC%81", key: 2, from: server).contains("late"))
      }
      #expect(server.orders[composed]?.taking?.answer == .accepted && server.orders[composed]?.taking?.driver == "ann")
      #expect(server.orders[decomposed]?.taking?.answer == .declined("late"))
      #expect(server.orders["9"]?.taking == nil)
      #expect(try await RawClient.taking("%C3%A9", key: 1, from: server).hasSuffix(#"{"result":"accepted"}"#))
      #expect(try await RawClient.taking("%C3%A9", token: "bob's", from: server).contains("already_taken"))
      let (push, welcome) = try await RawClient.subscription("ann's", to: server)
      #expect(await push.readLine()?.contains(#""cursor":1"#) == true)
      #expect(await push.readLine()?.contains(#""cursor":2"#) == true)
      welcomes.append(welcome)
      await server.close()
    }
    #expect(Set(welcomes).count == 1, "the epoch of the pushes stays")
  }

  @Test("a delayed decision is made at its time, although the server restarts several times") func delayed()
    async throws
  {
    let clock = ManualClock()
    var configuration = OrderServer.Configuration.test(
      OfferedOrder("7", decidedAfter: .milliseconds(2_500)), storage: file)
    configuration.heartbeat = .seconds(3_600)
    for round in 0..<5 {
      let server = try await OrderServer.start(configuration, timers: clock.timers)
      if round == 0 { #expect(try await RawClient.taking("7", from: server).contains("processing")) }
      #expect(server.orders["7"]?.taking?.answer == .processing)
      clock.advance(by: .milliseconds(499))
      await server.close()
    }
    let server = try await OrderServer.start(configuration, timers: clock.timers)
    let (push, _) = try await RawClient.subscription("ann's", to: server)
    #expect(server.orders["7"]?.taking?.answer == .processing)
    clock.advance(by: .milliseconds(5))
    #expect(await push.readLine()?.contains(#""result":"accepted""#) == true)
    await server.close(grace: .zero)
  }

  @Test("the error of a start names the port in use") func ports() async throws {
    let server = try await OrderServer.start()
    var configuration = OrderServer.Configuration()
    configuration.port = server.port
    let taken = await #expect(throws: OrderServerError.self) { try await OrderServer.start(configuration) }
    #expect(taken?.kind == .port && taken?.description.contains("\(server.port)") == true)
    await server.close()
  }

  @Test("a file that is open, missing or of another program is an error, and is not changed") func refused()
    async throws
  {
    let server = try await OrderServer.start(.test(storage: file))
    let open = await #expect(throws: OrderServerError.self) { try await OrderServer.start(.test(storage: file)) }
    #expect(open?.kind == .storage)
    #expect(
      open?.description.hasPrefix("Cannot use the server's file \(folder.file("orders")): it is already open.") == true)
    await server.close()
    try await OrderServer.start(.test(storage: file)).close()
    await #expect(throws: OrderServerError.self) {
      try await OrderServer.start(.test(storage: .file(folder.file("no/such/folder"))))
    }
    let other = folder.file("bookmarks")
    try Database(at: other).execute("CREATE TABLE bookmarks (url TEXT)")
    let letter = folder.file("letter")
    try Data("Dear Ann, the parcels are late.".utf8).write(to: URL(filePath: letter))
    for path in [other, letter] {
      let bytes = try Data(contentsOf: URL(filePath: path))
      let error = await #expect(throws: OrderServerError.self) {
        try await OrderServer.start(.test(storage: .file(path)))
      }
      #expect(error?.kind == .storage && error?.description.contains(path) == true, "\(String(describing: error))")
      #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
    }
  }

  private struct Full: Error {}

  @Test("an order or a decision that cannot be stored is not given, and is made when it can be") func full()
    async throws
  {
    let (isFull, clock) = (Locked(false), ManualClock())
    let store = OrderStore(
      load: { OrderStore.Contents() }, save: { _, _ in if isFull.withLock({ $0 }) { throw Full() } })
    let server = try await OrderServer.start(
      .test(OfferedOrder("7", decidedAfter: .seconds(3))), store, timers: clock.timers)
    isFull.withLock { $0 = true }
    let refusal = try await RawClient.taking("7", from: server)
    #expect(refusal.hasPrefix("HTTP/1.1 503") && refusal.contains(#""problem":"storage""#))
    #expect(server.orders["7"]?.taking == nil)
    await #expect(throws: OrderServerError.self) { try await server.offer(OfferedOrder("8")) }
    #expect(server.orders["8"] == nil)

    isFull.withLock { $0 = false }
    #expect(try await RawClient.taking("7", from: server).hasPrefix("HTTP/1.1 202"))
    isFull.withLock { $0 = true }
    clock.advance(by: .seconds(3))
    await #expect(throws: OrderServerError.self) { try await server.offer(OfferedOrder("8")) }
    #expect(server.orders["7"]?.taking?.answer == .processing)
    isFull.withLock { $0 = false }
    clock.advance(by: .seconds(1))
    try await server.offer(OfferedOrder("8"))
    #expect(server.orders["7"]?.taking?.answer == .accepted)
    await server.close(grace: .zero)
  }
}
