#if os(Linux)
  import Foundation
  import Glibc
  import Synchronization
  import Testing

  @testable import Terminal

  /// The number of received SIGQUIT signals.
  private let quits = Atomic(0)

  private let xterm = ["TERM": "xterm"]

  /// Serialized: a process has one session at a time.
  @Suite("Terminal session", .serialized, .timeLimit(.minutes(5)))
  struct SessionTests {
    private let pseudo: PseudoTerminal
    private let device: TerminalDevice

    init() throws {
      pseudo = try PseudoTerminal()
      device = TerminalDevice(input: pseudo.terminal, output: pseudo.terminal)
    }

    private struct Failure: Error {}

    @Test("A session leaves raw mode when its body returns or throws", arguments: [false, true])
    func sessionLeavesRawMode(throwing: Bool) throws {
      let before = try pseudo.mode()
      do {
        try device.withSession(environment: xterm) { _ in
          let cooked = try pseudo.mode().local & tcflag_t(ICANON | ECHO | ISIG)
          #expect(cooked == 0)
          if throwing { throw Failure() }
        }
        #expect(!throwing)
      } catch is Failure {
        #expect(throwing)
      }
      #expect(try pseudo.mode() == before)
      pseudo.drain()
      #expect(pseudo.received.hasPrefix("\u{1B}[?1049h\u{1B}[H\u{1B}[2J\u{1B}[?25l\u{1B}[?2004h"))
      #expect(pseudo.received.hasSuffix("\u{1B}[m\u{1B}[?2004l\u{1B}[?25h\u{1B}[?1049l"))
    }

    @Test("A second session is refused while one runs, and accepted after it")
    func secondSessionIsRefused() throws {
      try device.withSession(environment: xterm) { _ in
        let error = #expect(throws: TerminalError.self) { try device.withSession(environment: xterm) { _ in } }
        #expect(error?.kind == .busy)
      }
      try device.withSession(environment: xterm) { _ in }
    }

    @Test("A session requires a terminal for input and for output")
    func sessionRequiresTerminals() throws {
      var ends: [Int32] = [0, 0]
      #expect(pipe(&ends) == 0)
      defer { ends.forEach { close($0) } }
      for (input, output) in [(ends[0], pseudo.terminal), (pseudo.terminal, ends[1])] {
        let device = TerminalDevice(input: input, output: output)
        let error = #expect(throws: TerminalError.self) { try device.withSession(environment: xterm) { _ in } }
        #expect(error?.kind == .notATerminal)
      }
      try device.withSession(environment: xterm) { _ in }
    }

    @Test(
      "A session is refused, without output, if TERM names no terminal that can move its cursor",
      arguments: [[:], ["TERM": ""], ["TERM": "dumb"], ["TERM": "unknown"]])
    func sessionRequiresCursorMovement(environment: [String: String]) throws {
      let error = #expect(throws: TerminalError.self) { try device.withSession(environment: environment) { _ in } }
      #expect(error?.kind == .cannotMoveCursor)
      pseudo.drain()
      #expect(pseudo.received.isEmpty)
    }

    @Test("Typed keys arrive as events")
    func typedKeysAreEvents() throws {
      try device.withSession(environment: xterm) { session in
        pseudo.type("a\u{1B}[1;5A\u{3}\u{1B}[200~two\nlines\u{1B}[201~鳥")
        let expected: [InputEvent] = [
          .key(.character("a")), .key(.up, .control), .key(.character("c"), .control), .paste("two\nlines"),
          .key(.character("鳥")),
        ]
        for event in expected { try #expect(session.readEvent() == .input(event)) }
      }
    }

    @Test("Ctrl-\\ sends SIGQUIT, and a pasted one does not")
    func quitKeyIsSignal() throws {
      var before = System.action({ _ in quits.wrappingAdd(1, ordering: .relaxed) })
      var original = sigaction()
      sigaction(SIGQUIT, &before, &original)
      defer { sigaction(SIGQUIT, &original, nil) }
      try device.withSession(environment: xterm) { session in
        pseudo.type("\u{1B}[200~a\u{1C}b\u{1B}[201~")
        try #expect(session.readEvent() == .input(.paste("a\u{1C}b")))
        #expect(quits.load(ordering: .relaxed) == 0)
        pseudo.type("a\u{1C}b")
        for letter: Character in ["a", "b"] { try #expect(session.readEvent() == .input(.key(.character(letter)))) }
        while quits.load(ordering: .relaxed) == 0 { sched_yield() }
      }
      #expect(quits.load(ordering: .relaxed) == 1)
    }

    @Test("A single Esc byte is the Esc key")
    func singleEscapeByteIsEscapeKey() throws {
      try device.withSession(environment: xterm) { session in
        pseudo.type("\u{1B}")
        try #expect(session.readEvent() == .input(.key(.escape)))
      }
    }

    @Test("Waiting for an event returns nil after an interruption")
    func waitEndsByInterruption() throws {
      try device.withSession(environment: xterm) { session in
        session.interrupt()
        try #expect(session.readEvent() == nil)
      }
    }

    @Test("Resizing the terminal causes an event with the new size")
    func resizeIsAnEvent() throws {
      try device.withSession(environment: xterm) { session in
        pseudo.resize(columns: 101, rows: 31)
        kill(getpid(), SIGWINCH)
        try #expect(session.readEvent() == .resized(TerminalSize(columns: 101, rows: 31)))
        #expect(device.size(environment: [:]) == TerminalSize(columns: 101, rows: 31))
      }
    }

    @Test("Waiting for an event after the session returns nil")
    func waitingAfterSessionReturnsNil() async throws {
      let ended = try await device.withSession(environment: xterm) { session in
        pseudo.type("ab")
        try #expect(session.readEvent() == .input(.key(.character("a"))))
        await Task.yield()
        return session
      }
      try #expect(ended.readEvent() == nil)
    }

    @Test("A session restores the signal handlers installed before it")
    func sessionRestoresSignalHandlers() throws {
      var before = System.action({ _ in })
      var original = sigaction()
      sigaction(SIGHUP, &before, &original)
      defer { sigaction(SIGHUP, &original, nil) }
      try device.withSession(environment: xterm) { _ in }
      var after = sigaction()
      sigaction(SIGHUP, nil, &after)
      let handlers = [before, after].map { unsafeBitCast($0.__sigaction_handler.sa_handler, to: Int.self) }
      #expect(handlers[0] == handlers[1])
    }
  }
#endif
