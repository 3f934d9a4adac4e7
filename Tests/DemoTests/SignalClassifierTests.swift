import Testing

@testable import Demo

@Suite("Meaning of repeated signals")
struct SignalClassifierTests {
  private let start = ContinuousClock.now

  /// The meanings of a series of signals, each given with its time in milliseconds.
  private func meanings(_ signals: (ExitReason, Int)...) -> [SignalClassifier.Meaning] {
    var classifier = SignalClassifier()
    return signals.map { classifier.classify($0.0, at: start + .milliseconds($0.1)) }
  }

  @Test("the first signal requests the end, and a later signal of the same kind forces it")
  func repeatedSignal() {
    #expect(meanings((.interrupted, 0), (.interrupted, 100)) == [.first, .further])
  }

  @Test("a signal of the same kind within 100 milliseconds is an echo")
  func duplicateSignal() {
    #expect(meanings((.terminated, 0), (.terminated, 0), (.terminated, 99)) == [.first, .duplicate, .duplicate])
  }

  @Test("a signal of another kind is never an echo, and the first signal stays the first")
  func signalOfOtherKind() {
    #expect(meanings((.terminated, 0), (.interrupted, 0)) == [.first, .further])
    var classifier = SignalClassifier()
    for signal in [ExitReason.terminated, .interrupted] { _ = classifier.classify(signal, at: start) }
    #expect(classifier.first == .terminated)
  }
}
