import OrderTaking
import TestSupport
import Testing

@Suite("A back-off") struct BackoffTests {
  @Test("a constant back-off always waits for the same time, at least zero") func constant() {
    for failures in [0, 1, 2, 100, .max] as [UInt32] {
      #expect(Backoff.constant(.seconds(3)).delay(after: failures, random: 12) == .seconds(3))
    }
    #expect(Backoff.constant(.seconds(-1)).delay(after: 1, random: 0) == .zero)
  }

  @Test("the limit of an exponential back-off doubles up to its maximum") func limits() {
    let backoff = Backoff.exponential(from: .seconds(1), atMost: .seconds(20))
    for (failures, limit) in [(0, 1), (1, 1), (2, 2), (3, 4), (5, 16), (6, 20), (64, 20), (.max, 20)] as [(UInt32, Int)]
    {
      #expect(backoff.delay(after: failures, random: .max) == .seconds(limit))
      #expect(backoff.delay(after: failures, random: 0) == .zero)
      #expect(backoff.delay(after: failures, random: .max / 2 + 1) >= .milliseconds(limit * 500))
    }
  }

  @Test("any back-off is at least zero and at most its maximum") func extremes() throws {
    let durations = Generator.int.map { Duration.seconds($0 / 4) }
    try checkProperty(
      "a delay is at least zero and at most the maximum", durations, durations, .int(in: 0...100), .int(in: 0...Int.max)
    ) { first, cap, failures, random in
      let delay = Backoff.exponential(from: first, atMost: cap).delay(after: UInt32(failures), random: UInt64(random))
      return delay >= .zero && delay <= max(cap, .zero)
    }
  }

  @Test("the back-off of polls counts GETs, and not the PUTs before them") func polls() {
    var policy = TakingPolicy.standard
    (policy.retries, policy.polls) = (.constant(.zero), .exponential(from: .seconds(1), atMost: .seconds(1_000)))
    for seed in 0..<20 as Range<UInt64> {
      var walk = Walk(policy, seed: seed, .begin)
      for number in stride(from: UInt32(1), to: 9, by: 2) {
        walk.then(.put(number, failed: .status(503)))
        walk.then(.pause(number + 1))
      }
      walk.then(.put(9, .processing))
      walk.then(.pause(10))
      let effects = walk.operation.handle(.get(11, .processing), at: walk.now, under: policy)
      guard case .startTimer(.pause, let delay)? = effects.last else { return #expect(effects.isEmpty) }
      #expect(delay <= .seconds(1))
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
