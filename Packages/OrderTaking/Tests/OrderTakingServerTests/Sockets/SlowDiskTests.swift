import Dispatch
import LoopbackTesting
import OrderTaking
import OrderTakingServer
import Testing

@Suite("A server with a slow disk", .timeLimit(.minutes(2))) struct SlowDiskTests {
  /// A store in memory whose writes of takings wait for a permit.
  struct SlowStore: Sendable {
    let permits = DispatchSemaphore(value: 0)
    let begun: AsyncStream<Void>
    let store: OrderStore

    init() {
      let (begun, begin) = AsyncStream.makeStream(of: Void.self)
      let memory = OrderStore.inMemory()
      let permits = permits
      self.begun = begun
      store = OrderStore(
        load: memory.load,
        save: { entries, epoch throws(OrderStoreError) in
          if entries.contains(where: { $0.taking != nil }) {
            begin.yield()
            permits.wait()
          }
          try memory.save(entries, epoch)
        })
    }
  }

  func get(_ path: String) -> String {
    "GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer ann's\r\n\r\n"
  }

  func put(_ order: String, key: UInt64) -> String {
    "PUT /orders/\(order)/taking HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer ann's\r\n"
      + "Idempotency-Key: \(IdempotencyKey(high: 0, low: key))\r\nContent-Length: 0\r\n\r\n"
  }

  @Test("a slow write delays no other request and no push subscription") func others() async throws {
    let disk = SlowStore()
    let server = try await OrderServer.start(.test([OfferedOrder("7"), OfferedOrder("8")]), store: disk.store)
    let ann = try RawClient(port: server.port)
    await ann.send(put("7", key: 1))
    // The client can still read.
    ann.endOutput()
    for await _ in disk.begun { break }
    let reader = try RawClient(port: server.port)
    await reader.send(get("/orders"))
    let answer = await reader.rest().text
    #expect(answer.hasPrefix("HTTP/1.1 200") && answer.hasSuffix(#"{"orders":["7","8"]}"#))
    let push = try RawClient(port: server.pushPort)
    await push.send(#"{"type":"subscribe","token":"ann's"}"# + "\n")
    #expect(await push.readLine()?.contains(#""cursor":0"#) == true)
    #expect(server.orders["7"]?.taking == nil)
    disk.permits.signal()
    #expect(await ann.rest().text.hasPrefix("HTTP/1.1 200"))
    await server.stop(grace: .zero)
  }

  @Test("a response and a push leave only after the write, in the order of the requests") func order() async throws {
    let disk = SlowStore()
    let events = Locked<[String]>([])
    let server = try await OrderServer.start(.test([OfferedOrder("7"), OfferedOrder("8")]), store: disk.store) {
      event in
      switch event {
      case .pushed(let push, _, _): events.withLock { $0.append("push \(push.order)") }
      case .request(_, let path, _, let status, _): events.withLock { $0.append("\(status ?? 0) \(path)") }
      default: break
      }
    }
    let push = try RawClient(port: server.pushPort)
    await push.send(#"{"type":"subscribe","token":"ann's"}"# + "\n")
    #expect(await push.readLine()?.contains("welcome") == true)
    var begun = disk.begun.makeAsyncIterator()
    let (first, second) = (try RawClient(port: server.port), try RawClient(port: server.port))
    await first.send(put("7", key: 1))
    await begun.next()
    await second.send(put("8", key: 2))
    #expect(events.withLock { $0.isEmpty })
    disk.permits.signal()
    #expect(await first.rest().text.hasPrefix("HTTP/1.1 200"))
    await begun.next()
    #expect(events.withLock { $0 } == ["push 7", "200 /orders/7/taking"])
    disk.permits.signal()
    #expect(await second.rest().text.hasPrefix("HTTP/1.1 200"))
    #expect(
      events.withLock { $0 } == ["push 7", "200 /orders/7/taking", "push 8", "200 /orders/8/taking"])
    await server.stop(grace: .zero)
  }
}
