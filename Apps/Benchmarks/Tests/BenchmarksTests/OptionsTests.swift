import BenchmarkHarness
import Testing

@Suite("Options of the benchmarks command") struct OptionsTests {
  @Test("the benchmarks command parses every option") func allOptions() throws {
    let options = try Options(["--counted-only", "--filter", "zip", "--json", "out.json", "--list"])
    #expect(options.countedOnly)
    #expect(options.filter == "zip")
    #expect(options.json == "out.json")
    #expect(options.action == .list)
  }

  @Test("with --filter, the report is written only if --json names a path") func partialReport() throws {
    #expect(try Options([]).json == ".build/benchmarks.json")
    #expect(try Options(["--filter", "zip"]).json == nil)
  }

  @Test("the error for an invalid argument names the argument") func invalidArguments() {
    #expect(throws: Options.Misunderstanding("Cannot read `--filter`: it needs a value. See --help.")) {
      try Options(["--filter"])
    }
    #expect(throws: Options.Misunderstanding("Cannot read `--fast`: it is not an option. See --help.")) {
      try Options(["--fast"])
    }
  }

  @Test("--filter selects by name, and --counted-only by the kind of budget") func selection() throws {
    let benchmarks = [
      Benchmark("zip of 10", budget: .allocations(atMost: 12)) { _ in },
      Benchmark("zip of 2", baseline: "zip of 10", budget: .ratio(atMost: 1)) { _ in },
      Benchmark("map") { _ in },
    ]
    #expect(try Options([]).chosen(from: benchmarks).count == 3)
    #expect(try Options(["--filter", "zip"]).chosen(from: benchmarks).map(\.name) == ["zip of 10", "zip of 2"])
    #expect(try Options(["--counted-only"]).chosen(from: benchmarks).map(\.name) == ["zip of 10"])
  }
}
