import BenchmarkHarness
import Testing

@Suite("The command's arguments") struct OptionsTests {
  @Test("all have their place") func all() throws {
    let options = try Options(["--counted-only", "--filter", "zip", "--json", "out.json", "--list"])
    #expect(options.countedOnly)
    #expect(options.filter == "zip")
    #expect(options.json == "out.json")
    #expect(options.action == .list)
  }

  @Test("a part of the table is not written unless asked for") func partialReport() throws {
    #expect(try Options([]).json == ".build/benchmarks.json")
    #expect(try Options(["--filter", "zip"]).json == nil)
  }

  @Test("that make no sense are named") func misunderstandings() {
    #expect(throws: Options.Misunderstanding("--filter needs a value")) { try Options(["--filter"]) }
    #expect(throws: Options.Misunderstanding("there is no argument `--fast`; see --help")) {
      try Options(["--fast"])
    }
  }

  @Test("choose by name, and by whether the budget is counted") func choice() throws {
    let benchmarks = [
      Benchmark("zip of 10", budget: .allocations(atMost: 12)) { _ in },
      Benchmark("zip of 2", baseline: "zip of 10", budget: .ratio(atMost: 1)) { _ in },
      Benchmark("map") { _ in },
    ]
    #expect(try Options([]).chosen(from: benchmarks).count == 3)
    #expect(try Options(["--filter", "zip"]).chosen(from: benchmarks).map(\.name) == ["zip of 10", "zip of 2"])
    #expect(try Options(["--counted-only"]).chosen(from: benchmarks).map(\.name) == ["zip of 10"])
  }

  @Test("cannot save a list of benchmarks that contradicts itself") func problems() {
    let map = Benchmark("map") { _ in }
    #expect(problem(in: [map]) == nil)
    #expect(problem(in: [map, map]) == "two benchmarks are named `map`")
    #expect(
      problem(in: [map, Benchmark("zip", baseline: "mop") { _ in }])
        == "`zip` is held against `mop`, which is no benchmark of a time")
    #expect(
      problem(in: [Benchmark("zip", budget: .ratio(atMost: 1)) { _ in }])
        == "`zip` has a budget for a ratio, and no baseline")
  }
}
