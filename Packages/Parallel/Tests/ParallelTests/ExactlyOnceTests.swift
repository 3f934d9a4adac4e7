import Parallel
import TestSupport
import Testing

@Suite("Parallels call back exactly once")
struct ExactlyOnceTests {
  typealias Operator = @Sendable (Parallel<Int>) -> Parallel<Int>

  static let operators: [(name: String, apply: Operator)] = [
    ("none", { $0 }),
    ("map", { $0.map { $0 } }),
    ("flatMap", { $0.flatMap { Parallel(value: $0) } }),
    ("inner flatMap", { parallel in Parallel(value: 0).flatMap { _ in parallel } }),
    ("zip", { zip($0) }),
    ("zip of two", { zip(Parallel(value: 0), $0, with: { $1 }) }),
    ("sequence", { [$0].sequence().map { $0[0] } }),
    ("traverse", { parallel in [1].traverse { _ in parallel }.map { $0[0] } }),
    ("race", { race($0) }),
    ("race with a loser", { race(Parallel { _ in }, $0) }),
    (
      "delegate",
      { parallel in
        .delegate { callback in
          parallel.run(callback)
          return CountedObject(in: ObjectCounter())
        }
      }
    ),
  ]

  @Test("a second callback is ignored and reported with the source location of the parallel")
  func secondCallback() throws {
    let (values, reports) = (Log<Int>(), Log<Misuse>())
    let line: UInt = #line + 1
    let parallel = Parallel<Int>(reportingTo: { reports.append($0) }) { callback in
      for value in 1...3 { callback(value) }
    }
    parallel.run { values.append($0) }
    #expect(values.all == [1])
    #expect(reports.count == 2)
    let report = try #require(reports.all.first)
    #expect((report.file, report.line) == (#fileID, line))
    #expect("\(report)".contains("\(#fileID):\(line) called its callback twice"))
    parallel.run { values.append($0) }
    #expect(values.all == [1, 1])
  }

  @Test("every operator passes on one value and reports each further callback", arguments: operators.indices)
  func throughOperators(index: Int) {
    let (values, reports, held) = (Log<Int>(), Log<Misuse>(), HeldWork<Int>())
    let parallel = held.parallel(reportingTo: { reports.append($0) }, line: 7)
    Self.operators[index].apply(parallel).run { values.append($0) }
    for value in 1...3 { held.answer(value) }
    #expect(values.all == [1], "\(Self.operators[index].name)")
    #expect(reports.all.map(\.line) == [7, 7], "\(Self.operators[index].name)")
  }

  @Test(
    "of concurrent callbacks in one run exactly one counts, and the others are reported", arguments: operators.indices)
  func concurrently(index: Int) async {
    let (threads, runs) = (2, 500)
    let (values, reports, callbacks) = (Log<Int>(), Log<Misuse>(), Log<Parallel<Int>.Callback>())
    let parallel = Self.operators[index].apply(
      Parallel(reportingTo: { reports.append($0) }) { callbacks.append($0) })
    for run in 0..<runs { parallel.run { _ in values.append(run) } }
    let all = callbacks.all
    await inStep(threads: threads, rounds: runs) { thread, run in all[run](thread) }
    #expect(values.all.sorted() == Array(0..<runs), "\(Self.operators[index].name)")
    #expect(reports.count == runs * (threads - 1), "\(Self.operators[index].name)")
  }

  @Test(
    "zip, sequence and race call back once, with the values of one run, when their parallels call back concurrently")
  func concurrentInputs() async {
    // A countdown that were a load and a store would lose a callback in a few thousand rounds. ThreadSanitizer needs one.
    let runs = isThreadSanitized ? 1_000 : 10_000
    let combinations: [@Sendable (Parallel<Int>, Parallel<Int>) -> Parallel<Int>] = [
      { zip($0, $1, with: { $0 == $1 ? $0 : -1 }) }, { [$0, $1].sequence().map { $0[0] == $0[1] ? $0[0] : -1 } },
      { race($0, $1) },
    ]
    for combine in combinations {
      let values = Log<Int>()
      let callbacks = (0..<2).map { _ in Log<Parallel<Int>.Callback>() }
      let inputs = callbacks.map { callbacks in Parallel<Int> { callbacks.append($0) } }
      let combined = combine(inputs[0], inputs[1])
      for _ in 0..<runs { combined.run { values.append($0) } }
      let all = callbacks.map(\.all)
      await inStep(threads: 2, rounds: runs) { thread, run in all[thread][run](run) }
      #expect(values.all.sorted() == Array(0..<runs))
    }
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
