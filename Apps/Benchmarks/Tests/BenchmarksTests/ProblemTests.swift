import BenchmarkHarness
import Testing

@Suite("Problems in a list of benchmarks") struct ProblemTests {
  private let map = Benchmark("map") { _ in }

  @Test("benchmarks with the same name are a problem") func duplicateNames() {
    #expect(problem(in: [map]) == nil)
    #expect(
      problem(in: [map, map]) == "Cannot use the benchmark `map`: another one has this name. Rename one of them.")
  }

  @Test("a baseline that is missing or not timed is a problem") func untimedBaseline() {
    let depth = Benchmark(name: "depth", subject: .number(unit: "ns") { 1 })
    for (others, baseline) in [([map], "mop"), ([depth], "depth")] {
      let zip = Benchmark("zip", baseline: baseline) { _ in }
      #expect(
        problem(in: others + [zip])
          == "Cannot use the benchmark `zip`: its baseline `\(baseline)` is not a timed benchmark. "
          + "Name one as the baseline.")
    }
  }

  @Test("a ratio budget without a baseline is a problem") func ratioWithoutBaseline() {
    #expect(
      problem(in: [Benchmark("zip", budget: .ratio(atMost: 1)) { _ in }])
        == "Cannot use the benchmark `zip`: it has a ratio budget but no baseline. Add a baseline.")
  }

  @Test("a budget for a value that is never measured is a problem")
  func unmeasuredBudget() {
    let all: [Budget] = [.allocations(atMost: 1), .amount(atMost: 1), .ratio(atMost: 1)]
    let kinds: [(Benchmark.Subject, measured: [Budget.Limit], words: String)] = [
      (.time { _ in }, [.allocations, .ratio], "allocations or the ratio"),
      (.part { _, _ in }, [.allocations, .ratio], "allocations or the ratio"), (.duration { _ in }, [.ratio], "ratio"),
      (.bytes { _ in 0 }, [.amount], "amount"), (.peak {}, [.amount], "amount"),
      (.number(unit: "frames") { 1 }, [.amount], "amount"),
    ]
    for (subject, measured, words) in kinds {
      for budget in all {
        let zip = Benchmark(name: "zip", baseline: "map", budget: budget, subject: subject)
        let limit = budget.limits
        let error =
          "Cannot use the benchmark `zip`: its budget limits the \(limit.rawValue), which is never measured. "
          + "Limit the \(words)."
        #expect(problem(in: [map, zip]) == (measured.contains(limit) ? nil : error))
      }
    }
  }
}
