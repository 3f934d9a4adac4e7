import Testing

@testable import Loopback

@Suite struct HTTPConversationTests {
  typealias Effect = HTTPConversation.Effect

  let request = Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)

  /// A conversation in the middle of handling a request.
  func handling() -> HTTPConversation {
    var conversation = HTTPConversation(limits: LoopbackLimits())
    _ = conversation.handle(.received(request))
    return conversation
  }

  @Test func `a request is handled, answered, and followed by the next`() {
    var conversation = HTTPConversation(limits: LoopbackLimits())
    #expect(
      conversation.handle(.received(request + request)) == [
        .handle(HTTPRequest(.get, "/", headers: ["Host": "localhost"]))
      ])
    #expect(!conversation.wantsInput)
    guard case .write(let bytes) = conversation.handle(.replied(.response(.text("hi")))).first else {
      Issue.record("nothing was written")
      return
    }
    #expect(String(decoding: bytes, as: UTF8.self).hasSuffix("Content-Length: 2\r\n\r\nhi"))
    #expect(conversation.handle(.drained).count == 1)
    #expect(conversation.phase == .handling)
  }

  @Test func `each wait has its own limit`() {
    var limits = LoopbackLimits()
    limits.idleTimeout = .seconds(1)
    limits.headerTimeout = .seconds(2)
    limits.bodyTimeout = .seconds(3)
    limits.handlerTimeout = .seconds(4)
    var conversation = HTTPConversation(limits: limits)
    #expect(conversation.deadline?.duration == .seconds(1))
    _ = conversation.handle(.received(Array("PUT / HTTP/1.1\r\n".utf8)))
    #expect(conversation.deadline?.duration == .seconds(2))
    let headers = conversation.deadline
    _ = conversation.handle(.received(Array("Host: localhost\r\n".utf8)))
    #expect(conversation.deadline == headers, "a trickle gains no time")
    _ = conversation.handle(.received(Array("Content-Length: 2\r\n\r\na".utf8)))
    #expect(conversation.deadline?.duration == .seconds(3))
    _ = conversation.handle(.received(Array("b".utf8)))
    #expect(conversation.deadline?.duration == .seconds(4))
    _ = conversation.handle(.replied(.response(.text(String(repeating: "-", count: 4_000)))))
    #expect(conversation.deadline?.duration == .seconds(4), "one second, and one for each 1,024 bytes")
    _ = conversation.handle(.drained)
    #expect(conversation.deadline?.duration == .seconds(1))
  }

  @Test func `a client that takes its answer too slowly is reset`() {
    var conversation = handling()
    _ = conversation.handle(.replied(.response(.text("hi"))))
    #expect(conversation.handle(.deadlinePassed) == [.reset])
  }

  @Test func `an end of file while handling cancels the handler`() {
    var conversation = handling()
    #expect(conversation.handle(.inputEnded) == [.cancelHandler, .close])
    #expect(conversation.handle(.replied(.reset)) == [])
  }

  @Test func `requests that came before the end of file are answered before it`() {
    var conversation = HTTPConversation(limits: LoopbackLimits())
    _ = conversation.handle(.received(request + request))
    _ = conversation.handle(.replied(.response(.text("1"))))
    #expect(conversation.handle(.inputEnded) == [])
    _ = conversation.handle(.drained)
    #expect(conversation.phase == .handling)
    _ = conversation.handle(.replied(.response(.text("2"))))
    #expect(conversation.handle(.drained) == [.close])
  }

  @Test func `a handler that takes too long is cancelled, answered for, and not heard any more`() {
    var conversation = handling()
    let effects = conversation.handle(.deadlinePassed)
    #expect(effects.first == .cancelHandler)
    #expect(conversation.isFlushing)
    #expect(conversation.handle(.replied(.reset)) == [])
  }

  @Test func `a stop closes what is idle or silent, and lets the rest finish`() {
    var idle = HTTPConversation(limits: LoopbackLimits())
    #expect(idle.handle(.stopping) == [.close])
    var silent = handling()
    _ = silent.handle(.replied(.never))
    #expect(silent.handle(.stopping) == [.close])
    var busy = handling()
    #expect(busy.handle(.stopping) == [])
    _ = busy.handle(.replied(.response(.text("last"))))
    #expect(busy.handle(.drained) == [.close])
  }

  @Test func `whatever happens, it stays in its bounds`() {
    for seed in UInt64(0)..<400 {
      var random = Seeded(seed)
      var conversation = HTTPConversation(limits: LoopbackLimits())
      var isHandling = false
      var isClosed = false
      for _ in 0..<60 {
        let events: [HTTPConversation.Event] = [
          .received(request), .received(Array("PUT / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\na".utf8)),
          .received(Array("bc".utf8)), .received([0]), .replied(.response(.text("x"))), .replied(.never),
          .replied(.delayed(by: .zero, .disconnected)), .replied(.dripped(.text("x"), every: .zero)),
          .replied(.truncated(.text("x"), afterBodyBytes: -1)), .replied(.raw([])), .drained, .drained, .drained,
          .deadlinePassed, .stopping, .inputEnded, .failed,
        ]
        let bound = seed % 2 == 0 ? events.count - 3 : events.count
        let event = events[Int.random(in: 0..<bound, using: &random)]
        if case .received = event, !conversation.wantsInput { continue }
        if case .replied = event { isHandling = false }
        for effect in conversation.handle(event) {
          #expect(!isClosed, "seed \(seed): nothing happens on a closed connection")
          switch effect {
          case .handle:
            #expect(!isHandling, "seed \(seed): one request at a time")
            isHandling = true
          case .cancelHandler: isHandling = false
          case .write(let bytes): #expect(!bytes.isEmpty, "seed \(seed): an empty write would never drain")
          case .close, .reset: isClosed = true
          case .endOutput: break
          }
        }
        #expect(!isClosed || conversation.deadline == nil, "seed \(seed)")
        #expect(isClosed == (conversation.phase == .closed), "seed \(seed)")
      }
    }
  }
}
