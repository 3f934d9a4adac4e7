import Testing

@testable import Loopback

@Suite struct HTTPConversationTests {
  typealias Effect = HTTPConversation.Effect

  let request = Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)

  func handling() -> HTTPConversation {
    var conversation = HTTPConversation(limits: LoopbackLimits())
    _ = conversation.handle(.received(request))
    return conversation
  }

  @Test func `the next request is handled after the response to the previous one`() {
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
    #expect(conversation.deadline == .seconds(1))
    _ = conversation.handle(.received(Array("PUT / HTTP/1.1\r\n".utf8)))
    #expect(conversation.deadline == .seconds(2))
    let wait = conversation.waits
    for byte in "Host: localhost\r\n".utf8 { _ = conversation.handle(.received([byte])) }
    #expect(conversation.waits == wait, "a byte of the header does not extend its time")
    _ = conversation.handle(.received(Array("Content-Length: 3\r\n\r\na".utf8)))
    #expect(conversation.deadline == .seconds(3))
    let body = conversation.waits
    _ = conversation.handle(.received(Array("b".utf8)))
    #expect(conversation.waits == body, "a byte of the body does not extend its time")
    _ = conversation.handle(.received(Array("c".utf8)))
    #expect(conversation.deadline == .seconds(4))
    _ = conversation.handle(.replied(.response(.text(String(repeating: "-", count: 4_000)))))
    #expect(conversation.deadline == .seconds(4), "one second, and one for each 1,024 bytes")
    _ = conversation.handle(.drained)
    #expect(conversation.deadline == .seconds(1))
  }

  @Test func `blank lines before a request do not extend its time`() {
    var conversation = HTTPConversation(limits: LoopbackLimits())
    _ = conversation.handle(.received(Array("\r".utf8)))
    let wait = conversation.waits
    for byte in "\n\r\n\r\n".utf8 { _ = conversation.handle(.received([byte])) }
    #expect(conversation.waits == wait)
    #expect(conversation.handle(.deadlinePassed).contains(.close) || conversation.isFlushing)
  }

  @Test func `a client that reads its response too slowly is reset`() {
    var conversation = handling()
    _ = conversation.handle(.replied(.response(.text("hi"))))
    #expect(conversation.handle(.deadlinePassed) == [.reset])
  }

  @Test func `an end of file while handling cancels the handler, and its reply is sent`() {
    var conversation = handling()
    #expect(conversation.handle(.inputEnded) == [.cancelHandler])
    #expect(conversation.handle(.replied(.response(.text("late")))).count == 1)
    #expect(conversation.handle(.drained) == [.close])
    var silent = handling()
    _ = silent.handle(.inputEnded)
    #expect(silent.handle(.replied(.never)) == [.close])
  }

  @Test func `requests before the end of file get responses`() {
    var conversation = HTTPConversation(limits: LoopbackLimits())
    _ = conversation.handle(.received(request + request))
    _ = conversation.handle(.replied(.response(.text("1"))))
    #expect(conversation.handle(.inputEnded) == [])
    _ = conversation.handle(.drained)
    #expect(conversation.phase == .handling)
    _ = conversation.handle(.replied(.response(.text("2"))))
    #expect(conversation.handle(.drained) == [.close])
  }

  @Test func `the reply of a handler after its timeout is ignored`() {
    var conversation = handling()
    let effects = conversation.handle(.deadlinePassed)
    #expect(effects.first == .cancelHandler)
    #expect(conversation.isFlushing)
    #expect(conversation.handle(.replied(.reset)) == [])
  }

  @Test func `a stop closes idle and silent connections, and finishes current requests`() {
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

  @Test func `random events never break the invariants of a conversation`() {
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
          .deadlinePassed, .stopping, .inputEnded, .evicted, .failed,
        ]
        let bound = seed % 2 == 0 ? events.count - 4 : events.count
        let event = events[Int.random(in: 0..<bound, using: &random)]
        if case .received = event, !conversation.wantsInput { continue }
        if case .replied = event { isHandling = false }
        for effect in conversation.handle(event) {
          #expect(!isClosed, "seed \(seed): an effect on a closed connection")
          switch effect {
          case .handle:
            #expect(!isHandling, "seed \(seed): two requests at a time")
            isHandling = true
          case .cancelHandler: isHandling = conversation.phase == .handling
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
