import BenchmarkHarness
import Foundation
import Testing

@Suite("The report and the table") struct ReportTests {
  @Test("every object of the report has all nine keys") func keys() throws {
    let rows = [
      Row(name: "empty", unit: "ns"),
      Row(
        name: "full", unit: "ns", minimum: 1, median: 2, allocations: 3, baseline: "empty", ratio: 4,
        budget: .allocations(atMost: 3)),
    ]
    let objects = try #require(try JSONSerialization.jsonObject(with: report(rows)) as? [[String: Any]])
    for object in objects {
      #expect(
        object.keys.sorted() == [
          "allocations", "baseline", "budget", "median", "minimum", "name", "ratio", "unit", "within",
        ])
    }
    #expect(objects[0]["median"] is NSNull)
    #expect(objects[1]["median"] as? Double == 2)
    #expect(objects[1]["within"] as? Bool == true)
    let budget = try #require(objects[1]["budget"] as? [String: Any])
    #expect(budget["limits"] as? String == "allocations")
    #expect(budget["most"] as? Double == 3)
  }

  @Test("the table of benchmarks aligns names left and numbers right") func alignment() {
    let text = table([
      Row(name: "a long name", unit: "ns", minimum: 1.5, median: 1_234.4, allocations: 2),
      Row(name: "b", unit: "ns", allocations: 13, budget: .allocations(atMost: 12)),
      Row(name: "c", unit: "ns", baseline: "b", ratio: 1.25, budget: .ratio(atMost: 1.1)),
    ])
    #expect(
      text == """
        name         median  minimum  unit  allocations  ratio  to  budget
        a long name    1234      1.5  ns              2      –  –   –
        b                 –        –  ns             13      –  –   allocations ≤ 12  EXCEEDED
        c                 –        –  ns              –   1.25  b   ratio ≤ 1.1       over
        """)
  }
}
