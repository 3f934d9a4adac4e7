import BenchmarkHarness
import Testing

@Suite("A budget") struct BudgetTests {
  @Test("a value equal to the limit is within the budget", arguments: [(11.0, true), (12.0, true), (12.01, false)])
  func limit(allocations: Double, within: Bool) {
    let row = Row(name: "zip", unit: "ns", allocations: allocations, budget: .allocations(atMost: 12))
    #expect(row.within == within)
    #expect(row.isFailure == !within)
  }

  @Test("exceeding a ratio budget never fails the run") func ratio() {
    let row = Row(name: "zip", unit: "ns", ratio: 9, budget: .ratio(atMost: 1.1))
    #expect(row.within == false)
    #expect(!row.isFailure)
  }

  @Test("an amount budget checks the minimum") func amount() {
    let row = Row(name: "depth", unit: "frames", minimum: 65, median: 1, budget: .amount(atMost: 64))
    #expect(row.isFailure)
  }

  @Test("a budget without its measurement is neither met nor exceeded") func unmeasured() {
    let row = Row(name: "zip", unit: "ns", minimum: 1, ratio: 1, budget: .allocations(atMost: 12))
    #expect(row.within == nil)
    #expect(!row.isFailure)
  }

  @Test("a row without a budget is neither within nor over budget") func withoutBudget() {
    #expect(Row(name: "zip", unit: "ns", allocations: 1_000).within == nil)
  }
}
