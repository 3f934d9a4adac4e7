import Testing

@testable import Loopback

@Suite struct LineConversationTests {
  typealias Effect = LineConversation.Effect

  func conversation(_ change: (inout LoopbackLimits) -> Void = { _ in }) -> LineConversation {
    var limits = LoopbackLimits()
    change(&limits)
    return LineConversation(limits: limits)
  }

  func line(_ text: String) -> Effect { .deliver(Line(bytes: Array(text.utf8))) }

  func receive(_ pieces: [[UInt8]], limit: Int = 100) -> [Effect] {
    var conversation = conversation { $0.lineBytes = limit }
    return pieces.flatMap { conversation.handle(.received($0)) }
  }

  @Test func `a line ends in a line feed, with or without a carriage return before it`() {
    #expect(receive([Array("a\nb\r\n\n\r\nc\rd\nrest".utf8)]) == ["a", "b", "", "", "c\rd"].map { line($0) })
  }

  @Test func `a line at the limit is delivered, and a longer one closes the connection`() {
    let tooLong = Effect.close(reason: "A line exceeded the limit of 3 bytes")
    #expect(receive([Array("abc\r".utf8), Array("\n".utf8)], limit: 3) == [line("abc")])
    #expect(receive([Array("abcd\n".utf8)], limit: 3) == [tooLong])
    #expect(receive([Array("ok\nabcd".utf8), Array("\nno\n".utf8)], limit: 3) == [line("ok"), tooLong])
    #expect(receive([Array("ok\nlong\nno\n".utf8)], limit: 3) == [line("ok"), tooLong])
  }

  @Test func `the lines do not depend on the pieces of the bytes`() {
    for seed in UInt64(0)..<300 {
      var random = Seeded(seed)
      let alphabet: [UInt8] = [10, 13, 97, 98, 255]
      let bytes = (0..<Int.random(in: 0...80, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? 10 }
      #expect(receive(random.pieces(of: bytes)) == receive([bytes]), "seed \(seed)")
      #expect(receive(bytes.map { [$0] }) == receive([bytes]), "seed \(seed)")
    }
  }

  @Test func `a backlog above the limit resets the connection`() {
    var conversation = conversation { $0.writeBacklogBytes = 10 }
    #expect(conversation.handle(.send([1, 2], backlog: 8)) == [.write([1, 2])])
    #expect(
      conversation.handle(.send([1, 2], backlog: 9)) == [.reset(reason: "The client left more than 10 bytes unread")])
    #expect(conversation.handle(.send([1], backlog: 0)) == [])
  }

  @Test func `a finished connection closes after all bytes were sent`() {
    var conversation = conversation()
    _ = conversation.handle(.send([1], backlog: 0))
    #expect(conversation.handle(.finish) == [])
    #expect(conversation.handle(.received(Array("late\n".utf8))) == [])
    #expect(conversation.handle(.drained) == [.close(reason: "The server's handler closed the connection")])
    #expect(conversation.handle(.drained) == [])
  }

  @Test func `the end of a client's input closes the connection after all bytes were sent`() {
    var conversation = conversation()
    _ = conversation.handle(.received(Array("half".utf8)))
    _ = conversation.handle(.send([1], backlog: 0))
    #expect(conversation.handle(.inputEnded) == [])
    #expect(conversation.handle(.drained) == [.close(reason: "The client closed the connection")])
  }

  @Test func `a line that arrives byte by byte does not extend its time until it is complete`() {
    var conversation = conversation()
    _ = conversation.handle(.received(Array("b".utf8)))
    #expect(conversation.activity == 1)
    _ = conversation.handle(.received(Array("i".utf8)))
    _ = conversation.handle(.send([1], backlog: 0))
    _ = conversation.handle(.drained)
    #expect(conversation.activity == 1 && !conversation.hasReceivedLine)
    _ = conversation.handle(.received(Array("rd\nnext".utf8)))
    #expect(conversation.activity == 2 && conversation.hasReceivedLine)
  }

  @Test func `sent bytes are activity, and an idle connection closes`() {
    var conversation = conversation { $0.idleTimeout = .seconds(60) }
    _ = conversation.handle(.send([1], backlog: 0))
    _ = conversation.handle(.drained)
    #expect(conversation.activity == 1)
    #expect(
      conversation.handle(.deadlinePassed)
        == [.close(reason: "No complete line was received and nothing was sent for 60.0 seconds")])
  }

  @Test func `a stop sends the waiting bytes, and resets after the grace period`() {
    var idle = conversation()
    #expect(idle.handle(.stopping(backlog: 0)) == [.close(reason: "The server stopped")])
    var busy = conversation()
    _ = busy.handle(.send([1], backlog: 0))
    #expect(busy.handle(.stopping(backlog: 1)) == [])
    #expect(busy.handle(.graceOver) == [.reset(reason: "The server stopped")])
  }
}
