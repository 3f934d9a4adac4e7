import Testing

@testable import Demo

@Suite("Meaning of repeated signals")
struct HeardSignalsTests {
  private let start = ContinuousClock.now

  /// The meanings of a series of signals, each given with its time in milliseconds.
  private func meanings(_ signals: (ExitReason, Int)...) -> [HeardSignals.Meaning] {
    var heard = HeardSignals()
    return signals.map { heard.hear($0.0, at: start + .milliseconds($0.1)) }
  }

  @Test("the first signal requests the end, and a later signal of the same kind forces it")
  func repeatedSignal() {
    #expect(meanings((.interrupted, 0), (.interrupted, 100)) == [.wish, .impatience])
  }

  @Test("a signal of the same kind within 100 milliseconds is an echo")
  func duplicateSignal() {
    #expect(meanings((.terminated, 0), (.terminated, 0), (.terminated, 99)) == [.wish, .echo, .echo])
  }

  @Test("a signal of another kind is never an echo, and the first signal stays the first")
  func signalOfOtherKind() {
    #expect(meanings((.terminated, 0), (.interrupted, 0)) == [.wish, .impatience])
    var heard = HeardSignals()
    for signal in [ExitReason.terminated, .interrupted] { _ = heard.hear(signal, at: start) }
    #expect(heard.first == .terminated)
  }
}
