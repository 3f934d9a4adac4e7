import Testing

@testable import Loopback

@Suite struct LineConversationTests {
  @Test func `a backlog at the limit passes, and one byte more resets`() {
    var limits = LoopbackLimits()
    limits.writeBacklogBytes = 10
    var conversation = LineConversation(limits: limits)
    #expect(conversation.handle(.send([1, 2], backlog: 8)) == [.write([1, 2])])
    #expect(conversation.handle(.send([1, 2], backlog: 9)) == [.reset(.slowReader(limit: 10))])
    #expect(conversation.handle(.send([1], backlog: 0)) == [])
  }

  @Test func `finishing waits until everything has been sent`() {
    var conversation = LineConversation(limits: LoopbackLimits())
    _ = conversation.handle(.send([1], backlog: 0))
    #expect(conversation.handle(.finish) == [])
    #expect(conversation.handle(.received(Array("late\n".utf8))) == [])
    #expect(conversation.handle(.drained) == [.close(.closedByServer)])
    #expect(conversation.handle(.drained) == [])
  }

  @Test func `an end of file delivers the rest, and finishing then names the client`() {
    var conversation = LineConversation(limits: LoopbackLimits())
    _ = conversation.handle(.received(Array("half".utf8)))
    let rest = Line(bytes: Array("half".utf8), isTerminated: false)
    #expect(conversation.handle(.inputEnded) == [.deliver(rest), .inputEnded])
    #expect(conversation.handle(.finish) == [.close(.closedByClient)])
  }

  @Test func `lines before one that is too long are delivered, and none after`() {
    var limits = LoopbackLimits()
    limits.lineBytes = 2
    var conversation = LineConversation(limits: limits)
    let effects = conversation.handle(.received(Array("ok\nlong\nno\n".utf8)))
    #expect(effects == [.deliver(Line(bytes: Array("ok".utf8))), .close(.lineTooLong(limit: 2))])
  }

  @Test func `a line that comes byte by byte gains no time until it is complete`() {
    var conversation = LineConversation(limits: LoopbackLimits())
    _ = conversation.handle(.received(Array("b".utf8)))
    #expect(conversation.activity == 1)
    _ = conversation.handle(.received(Array("i".utf8)))
    _ = conversation.handle(.send([1], backlog: 0))
    _ = conversation.handle(.drained)
    #expect(conversation.activity == 1)
    _ = conversation.handle(.received(Array("rd\nnext".utf8)))
    #expect(conversation.activity == 2)
  }

  @Test func `everything sent is activity, and no event is not`() {
    var conversation = LineConversation(limits: LoopbackLimits())
    _ = conversation.handle(.send([1], backlog: 0))
    _ = conversation.handle(.drained)
    #expect(conversation.activity == 1)
    #expect(conversation.handle(.deadlinePassed) == [.close(.idle(LoopbackLimits().idleTimeout))])
  }

  @Test func `stopping sends what waits and resets after the grace period`() {
    var idle = LineConversation(limits: LoopbackLimits())
    #expect(idle.handle(.stopping(backlog: 0)) == [.close(.serverStopped)])
    var busy = LineConversation(limits: LoopbackLimits())
    _ = busy.handle(.send([1], backlog: 0))
    #expect(busy.handle(.stopping(backlog: 1)) == [])
    #expect(busy.handle(.graceOver) == [.reset(.serverStopped)])
  }
}
