import Testing

@testable import Demo

/// What a signal means after those before it.
@Suite("A signal")
struct HeardSignalsTests {
  private let start = ContinuousClock.now

  /// What signals mean that come after so many milliseconds.
  private func meanings(_ signals: (ExitReason, Int)...) -> [HeardSignals.Meaning] {
    var heard = HeardSignals()
    return signals.map { heard.hear($0.0, at: start + .milliseconds($0.1)) }
  }

  @Test("is a wish at first, and impatience when it comes again")
  func again() {
    #expect(meanings((.interrupted, 0), (.interrupted, 100)) == [.wish, .impatience])
  }

  @Test("is an echo when the same came just before it, as often as it comes")
  func echo() {
    #expect(meanings((.terminated, 0), (.terminated, 0), (.terminated, 99)) == [.wish, .echo, .echo])
  }

  @Test("of another kind is no echo, and the first one stays the first")
  func another() {
    #expect(meanings((.terminated, 0), (.interrupted, 0)) == [.wish, .impatience])
    var heard = HeardSignals()
    for signal in [ExitReason.terminated, .interrupted] { _ = heard.hear(signal, at: start) }
    #expect(heard.first == .terminated)
  }
}
