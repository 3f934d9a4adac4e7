import LoopbackTesting
import OrderTaking
import Testing

@testable import OrderTakingServer

@Suite("A reordered push", .timeLimit(.minutes(2))) struct ReorderedPushTests {
  @Test("a reordered push is sent right after the next push") func afterTheNext() async throws {
    var faults = ServerFaults()
    faults.pushReordered = 0.5
    // Each request draws its fault before its push does.
    let seed = try #require(
      (0..<100 as Range<UInt64>).first { seed in
        var dice = FaultDice(faults, seed: seed)
        let drawn = (0..<2).map { _ -> FaultDice.PushFault in
          _ = dice.request()
          return dice.push()
        }
        return drawn == [.reordered, .none]
      })
    // No timer fires.
    let server = try await OrderServer.start(
      .test([OfferedOrder("7"), OfferedOrder("8")], faults: faults, seed: seed),
      timers: Timers(schedule: { _, _ in {} }, now: { Moment(sinceEpoch: .zero, sinceBoot: .zero) }))
    let push = try RawClient(port: server.pushPort)
    await push.send(#"{"type":"subscribe","token":"ann's"}"# + "\n")
    #expect(await push.readLine()?.contains("welcome") == true)
    for order in 7...8 {
      let http = try RawClient(port: server.port)
      await http.send(
        "PUT /orders/\(order)/taking HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer ann's\r\n"
          + "Idempotency-Key: \(IdempotencyKey(high: 0, low: UInt64(order)))\r\nContent-Length: 0\r\n\r\n")
      #expect(await http.rest().text.hasPrefix("HTTP/1.1 200"))
    }
    for cursor in [2, 1] { #expect(await push.readLine()?.contains(#""cursor":\#(cursor),"#) == true) }
    await server.stop(grace: .zero)
  }
}
