import OrderTaking
import TestSupport
import Testing

@Suite("A back-off") struct BackoffTests {
  @Test("a constant back-off always waits for the same time, at least zero") func constant() {
    for failures in [0, 1, 2, 100, .max] {
      #expect(Backoff.constant(.seconds(3)).delay(after: failures, random: 12) == .seconds(3))
    }
    #expect(Backoff.constant(.seconds(-1)).delay(after: 1, random: 0) == .zero)
  }

  @Test("the limit of an exponential back-off doubles up to its maximum") func limits() {
    let backoff = Backoff.exponential(from: .seconds(1), atMost: .seconds(20))
    for (failures, limit) in [(0, 1), (1, 1), (2, 2), (3, 4), (5, 16), (6, 20), (64, 20), (.max, 20)] as [(Int, Int)] {
      #expect(backoff.delay(after: failures, random: .max) == .seconds(limit))
      #expect(backoff.delay(after: failures, random: 0) == .zero)
      #expect(backoff.delay(after: failures, random: .max / 2 + 1) >= .milliseconds(limit * 500))
    }
  }

  @Test("the pauses of an operation depend on its seed") func jitter() {
    func pauses(_ seed: UInt64) -> [String] {
      var walk = Walk(.standard, seed: seed, .begin)
      for number in stride(from: UInt32(1), to: 20, by: 2) {
        walk.then(.put(number, failed: .status(503)))
        walk.then(.pause(number + 1))
      }
      return walk.all.filter { $0.hasPrefix("pause") }
    }
    #expect(pauses(1) == pauses(1))
    #expect(pauses(1) != pauses(2))
    #expect(Set(pauses(1)).count == 10)
  }
}
