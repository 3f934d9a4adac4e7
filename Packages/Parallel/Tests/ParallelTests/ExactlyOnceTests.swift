import Parallel
import TestSupport
import Testing

@Suite("Parallels call back exactly once")
struct ExactlyOnceTests {
  let reports = Log<Misuse>()
  var reporter: Misuse.Reporter { Misuse.Reporter { [reports] in reports.append($0) } }

  @Test("a second callback is ignored and reported with the source location of the parallel")
  func secondCallback() throws {
    let values = Log<Int>()
    let line: UInt = #line + 1
    let parallel = Parallel<Int>(reportingTo: reporter) { callback in
      callback(1)
      callback(2)
      callback(3)
    }
    parallel.run { values.append($0) }
    #expect(values.all == [1])
    #expect(reports.count == 2)
    let report = try #require(reports.all.first)
    #expect(report.file == #fileID)
    #expect(report.line == line)
    #expect("\(report)".contains("\(#fileID):\(line) called its callback twice"))
  }

  @Test("each run can call back once, so a second run is not reported")
  func secondRun() {
    let values = Log<Int>()
    let parallel = Parallel<Int>(reportingTo: reporter) { callback in callback(1) }
    parallel.run { values.append($0) }
    parallel.run { values.append($0) }
    #expect(values.all == [1, 1])
    #expect(reports.all.isEmpty)
  }

  @Test("every operator passes on one value and reports each further callback")
  func throughStages() {
    let stages: [(Parallel<Int>) -> Parallel<Int>] = [
      { $0 },
      { $0.map { $0 } },
      { $0.flatMap { Parallel(value: $0) } },
      { parallel in Parallel(value: 0).flatMap { _ in parallel } },
      { zip($0) },
      { zip(Parallel(value: 0), $0, with: { $1 }) },
      { [$0].sequence().map { $0[0] } },
      { [$0].race() },
      { race($0) },
      { parallel in [1].traverse { _ in parallel }.map { $0[0] } },
      { parallel in race(Parallel { _ in }, parallel) },
    ]
    for (index, stage) in stages.enumerated() {
      let reports = Log<Misuse>()
      let values = Log<Int>()
      let held = HeldWork<Int>()
      stage(held.parallel(reportingTo: Misuse.Reporter { reports.append($0) }, line: 7)).run { values.append($0) }
      for value in 1...3 { held.answer(value) }
      #expect(values.all == [1], "stage \(index)")
      #expect(reports.all.map(\.line) == [7, 7], "stage \(index)")
    }
  }

  @Test("a race reports a second callback of one parallel, but not the first callback of a loser")
  func raceReports() {
    let values = Log<Int>()
    let (winner, loser) = (HeldWork<Int>(), HeldWork<Int>())
    race(winner.parallel(reportingTo: reporter), loser.parallel(reportingTo: reporter, line: 8))
      .run { values.append($0) }
    winner.answer(1)
    loser.answer(2)
    #expect(reports.all.isEmpty)
    loser.answer(3)
    #expect(values.all == [1])
    #expect(reports.all.map(\.line) == [8])
  }

  @Test("zip keeps the first value of a parallel that calls back twice")
  func zipKeepsFirst() {
    let values = Log<[Int]>()
    let (left, right) = (HeldWork<Int>(), HeldWork<Int>())
    zip(left.parallel(reportingTo: reporter, line: 9), right.parallel, with: { [$0, $1] }).run { values.append($0) }
    left.answer(1)
    left.answer(2)
    #expect(values.all.isEmpty)
    right.answer(3)
    #expect(values.all == [[1, 3]])
    #expect(reports.all.map(\.line) == [9])
  }

  @Test("traverse keeps the first value of an element, and a second callback starts no element")
  func traverseKeepsFirst() {
    let values = Log<[Int]>()
    let held = HeldWork<Int>()
    [0, 1, 2].traverse(maxConcurrent: 1) { [reporter] _ in held.parallel(reportingTo: reporter, line: 10) }
      .run { values.append($0) }
    #expect(held.runCount == 1)
    held.answer(1, run: 0)
    held.answer(-1, run: 0)
    #expect(held.runCount == 2)
    held.answer(2, run: 1)
    held.answer(3, run: 2)
    #expect(values.all == [[1, 2, 3]])
    #expect(reports.all.map(\.line) == [10])
  }

  @Test("a second callback of a delegate is reported")
  func delegate() throws {
    let values = Log<Int>()
    let line: UInt = #line + 1
    let parallel = Parallel<Int>.delegate(reportingTo: reporter) { callback in
      callback(1)
      callback(2)
      return CountedObject(in: ObjectCounter())
    }
    parallel.run { values.append($0) }
    #expect(values.all == [1])
    #expect(reports.all.map(\.line) == [line])
    #expect(reports.all.map(\.file) == [#fileID])
  }

  @Test("value() returns the first value, and a second callback is reported")
  func awaited() async throws {
    let parallel = Parallel<Int>(reportingTo: reporter, line: 11) { callback in
      callback(1)
      callback(2)
    }
    #expect(try await parallel.value() == 1)
    #expect(reports.all.map(\.line) == [11])
  }

  @Test("of concurrent callbacks in one run exactly one counts, and the others are reported")
  func concurrently() async {
    let (threads, runs) = (2, 1_000)
    let stages: [@Sendable (Parallel<Int>) -> Parallel<Int>] = [
      { $0 }, { $0.map { $0 } }, { zip($0) }, { [$0].sequence().map { $0[0] } }, { race($0) },
    ]
    for (index, stage) in stages.enumerated() {
      let reports = Log<Misuse>()
      let values = Log<Int>()
      let callbacks = Log<Parallel<Int>.Callback>()
      let parallel = stage(Parallel(reportingTo: Misuse.Reporter { reports.append($0) }) { callbacks.append($0) })
      for run in 0..<runs { parallel.run { _ in values.append(run) } }
      let all = callbacks.all
      await inStep(threads: threads, rounds: runs) { thread, run in all[run](thread) }
      #expect(values.all.sorted() == Array(0..<runs), "stage \(index)")
      #expect(reports.count == runs * (threads - 1), "stage \(index)")
    }
  }

  @Test("of concurrent callbacks of a delegate exactly one counts, and the delegate is released")
  func delegateConcurrently() async {
    let (threads, runs) = (2, 1_000)
    let counter = ObjectCounter()
    let reports = Log<Misuse>()
    let values = Log<Int>()
    let callbacks = Log<Parallel<Int>.Callback>()
    let parallel = Parallel<Int>.delegate(reportingTo: Misuse.Reporter { reports.append($0) }) { callback in
      callbacks.append(callback)
      return CountedObject(in: counter)
    }
    for run in 0..<runs { parallel.run { _ in values.append(run) } }
    #expect(counter.liveCount == runs)
    let all = callbacks.all
    await inStep(threads: threads, rounds: runs) { thread, run in all[run](thread) }
    #expect(values.all.sorted() == Array(0..<runs))
    #expect(reports.count == runs * (threads - 1))
    #expect(counter.liveCount == 0)
  }

  @Test("the default reporter prints the problem and its solution to standard error")
  func standardError() async throws {
    let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
      Parallel<Int>(file: "Module/File.swift", line: 12) { callback in
        callback(1)
        callback(2)
      }
      .run { _ in }
    }
    let message = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(message.contains("the Parallel created at Module/File.swift:12 called its callback twice in one run"))
    #expect(message.contains("Call the callback exactly once"))
  }
}
