import Testing

@testable import OrderTakingServer

@Suite("Server faults") struct ServerFaultsTests {
  @Test("a specification can contain every kind of fault") func read() throws {
    let faults = try ServerFaults(
      "latency=5ms..50ms, 503=0.1,429=0.05,lost=0.2,reset=0.1,restart=0.01,push-lost=0.1,push-duplicate=0.2,"
        + "push-reorder=0.3,push-delay=0.4:1.5s,script=503/lost/reset/reset-after/restart/ok")
    #expect(faults.latency == .uniform(.milliseconds(5)...(.milliseconds(50))))
    #expect(faults.statuses == [503: 0.1, 429: 0.05])
    #expect((faults.answerLost, faults.reset, faults.restart) == (0.2, 0.1, 0.01))
    #expect((faults.pushLost, faults.pushDuplicated, faults.pushReordered, faults.pushDelayed) == (0.1, 0.2, 0.3, 0.4))
    #expect(faults.pushDelay == .seconds(1.5))
    #expect(faults.script == [.status(503), .answerLost, .reset, .resetAfterWork, .restart, .none])
    #expect(try ServerFaults("") == .none && ServerFaults("all") == .all)
    #expect(try ServerFaults("all,latency=20ms").latency == .constant(.milliseconds(20)))
    #expect(try ServerFaults("latency=~1s").latency == .exponential(mean: .seconds(1)))
  }

  @Test(
    "the error of an invalid specification names the invalid item and the valid ones",
    arguments: [
      ("nonsense", "Use none, all"), ("lost=2", "a chance from 0 to 1"), ("lost=nan", "a chance"),
      ("lost=", "\"lost=\""),
      ("latency=5", "a time. Use a value such as 20ms"), ("latency=50ms..5ms", "Swap the two times"),
      ("latency=-1ms", "a time"),
      ("latency=infs", "a time"), ("200=0.1", "Use none, all"), ("script=503/oops", "\"oops\""),
      ("script=200", "a status from 400"), ("lost=0.6,reset=0.6", "add up to more"),
      ("push-lost=0.6,push-delay=0.6", "add up to more"), ("push-delay=0.1:soon", "a time"), ("=", "\"=\""),
    ])
  func wrong(text: String, advice: String) {
    let error = #expect(throws: FaultSpecificationError.self) { try ServerFaults(text) }
    #expect(error?.description.contains(advice) == true, "\(error?.description ?? "")")
  }

  @Test("one seed leads to the same faults, with their probabilities") func chances() {
    func draw(_ seed: UInt64) -> [ServerFaults.RequestFault] {
      var dice = FaultDice(.all, seed: seed)
      return (0..<10_000).map { _ in dice.request().0 }
    }
    let drawn = draw(7)
    #expect(drawn == draw(7))
    #expect(drawn != draw(8))
    for (fault, chance) in [
      (ServerFaults.RequestFault.status(429), 0.03), (.status(500), 0.05), (.answerLost, 0.08), (.reset, 0.04),
      (.resetAfterWork, 0.04), (.restart, 0.002),
    ] {
      let count = Double(drawn.count { $0 == fault })
      #expect(abs(count / 10_000 - chance) < 0.01, "\(fault): \(count)")
    }
    var dice = FaultDice(.all, seed: 7)
    let pushes = (0..<10_000).map { _ in dice.push() }
    #expect((1_300...1_700).contains(pushes.count { $0 == .lost }))
    #expect((800...1_200).contains(pushes.count { $0 == .duplicated }))
    #expect((800...1_200).contains(pushes.count { $0 == .reordered }))
    #expect(
      (1_300...1_700).contains(
        pushes.count { if case .delayed(let time) = $0 { time < .milliseconds(100) } else { false } }))
  }

  @Test("the first faults are those of the script") func script() {
    var faults = ServerFaults()
    faults.script = [.status(503), .answerLost]
    var dice = FaultDice(faults, seed: 1)
    #expect((0..<4).map { _ in dice.request().0 } == [.status(503), .answerLost, .none, .none])
  }

  @Test("simulated latencies are within their range") func latency() {
    func delays(_ latency: ServerFaults.Latency) -> [Duration] {
      var faults = ServerFaults()
      faults.latency = latency
      var dice = FaultDice(faults, seed: 3)
      return (0..<2_000).map { _ in dice.request().1 }
    }
    #expect(Set(delays(.none)) == [.zero])
    #expect(Set(delays(.constant(.seconds(1)))) == [.seconds(1)])
    let range = Duration.milliseconds(5)...(.milliseconds(50))
    #expect(delays(.uniform(range)).allSatisfy(range.contains))
    let exponential = delays(.exponential(mean: .milliseconds(10)))
    #expect(exponential.allSatisfy { (.zero)...(.milliseconds(100)) ~= $0 })
    let mean = exponential.reduce(.zero, +) / 2_000
    #expect((Duration.milliseconds(9)...(.milliseconds(11))).contains(mean), "\(mean)")
  }
}
