import TestSupport
import Testing

@testable import Loopback

@Suite struct HTTPConversationTests {
  let request = Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)

  @Test func `a stop begins no pipelined request, and a silent reply after an end of file closes`() {
    var conversation = HTTPConversation()
    _ = conversation.handle(.received(request + request))
    _ = conversation.handle(.replied(.response(.text("last"))))
    #expect(conversation.handle(.stopping) == [])
    #expect(conversation.handle(.drained) == [.close])
    var silent = HTTPConversation()
    _ = silent.handle(.received(request))
    _ = silent.handle(.inputEnded)
    #expect(silent.handle(.replied(.never)) == [.close])
  }

  @Test func `an end of file while handling cancels the handler, and its reply is sent`() {
    var conversation = HTTPConversation()
    _ = conversation.handle(.received(request))
    #expect(conversation.handle(.inputEnded) == [.cancelHandler])
    #expect(conversation.handle(.replied(.response(.text("late")))).count == 1)
    #expect(conversation.handle(.drained) == [.close])
  }

  @Test func `random events never break the invariants of a conversation`() {
    for seed in UInt64(0)..<400 {
      var random = SeededGenerator(seed: seed)
      var conversation = HTTPConversation()
      var isHandling = false
      for _ in 0..<60 {
        let events: [HTTPConversation.Event] = [
          .received(request), .received(Array("PUT / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\na".utf8)),
          .received(Array("bc".utf8)), .received([0]), .replied(.response(.text("x"))), .replied(.never),
          .replied(.delayed(by: .zero, .disconnected)), .replied(.dripped(.text("x"), every: .zero)),
          .replied(.truncated(.text("x"), afterBodyBytes: -1)), .replied(.raw([])), .drained, .drained, .drained,
          .timeUp, .stopping, .inputEnded,
        ]
        let event = events[Int.random(in: 0..<(seed % 2 == 0 ? 14 : 16), using: &random)]
        let wasClosed = conversation.state == .closed
        if case .replied = event { isHandling = false }
        let effects = conversation.handle(event)
        #expect(!wasClosed || effects.isEmpty, "seed \(seed): an effect on a closed connection")
        for effect in effects {
          switch effect {
          case .handle:
            #expect(!isHandling, "seed \(seed): two requests at a time")
            isHandling = true
          case .write(let bytes): #expect(!bytes.isEmpty, "seed \(seed): an empty write would never drain")
          case .close, .linger, .reset: #expect(conversation.state == .closed, "seed \(seed)")
          case .cancelHandler, .wait: break
          }
        }
      }
    }
  }
}
