import Arguments
import BenchmarkHarness
import Foundation
import Testing

@Suite("The command benchmarks") struct RunTests {
  private static let benchmarks: [Benchmark] = [
    .amount("depth", of: "frames", atMost: 64) { 65 },
    .amount("width", of: "columns", atMost: 80) { 80 },
    .ratio("slow map", atMost: 0.5, to: "map") {
      1
    } baseline: {
      1
    },
  ]

  /// Runs the command with a clock that advances by a second for each call.
  private func run(
    _ words: String..., of benchmarks: [Benchmark] = benchmarks
  ) async throws -> (code: ExitCode, output: [String], errors: [String]) {
    var (seconds, output, errors): (Double, [String], [String]) = (0, [], [])
    let code = try await Run.command.parse(words).get().measure(
      benchmarks,
      now: {
        seconds += 1
        return seconds * 1_000_000_000
      }, print: { output.append($0) }, complain: { errors.append($0) })
    return (code, output, errors)
  }

  @Test("a counted value over its budget fails the run") func counted() async throws {
    let (code, output, errors) = try await run("--counted-only")
    #expect(code == .failure)
    #expect(
      output == [
        "benchmark    measured     at most",
        "depth              65          64  frames",
        "width              80          80  columns",
      ])
    #expect(
      errors == [
        "Cannot keep the budget of depth: 65 frames, at most 64. Reduce the cost, or raise the budget."
      ])
  }

  @Test("the last lines list each ratio over its budget, which does not fail the run") func ratios() async throws {
    let (code, output, errors) = try await run("--filter", "map")
    #expect(code == .success)
    #expect(errors.isEmpty)
    #expect(
      output == [
        "benchmark    measured     at most",
        "slow map            1        0.50  × map  1000.0 ms",
        "\nOver budget. A time does not fail the run:",
        "  slow map: 1 × map, at most 0.50",
      ])
  }

  @Test("a benchmark that throws fails the run with its error") func errors() async throws {
    struct Broken: Error {}
    let broken = Benchmark.ratio("map", atMost: 1, to: "nothing") {
      throw Broken()
    } baseline: {
      1
    }
    let (code, _, errors) = try await run(of: [broken])
    #expect(code == .failure)
    #expect(errors == ["Cannot measure map: Broken()"])
  }

  @Test("a filter without a match is a usage error") func noMatch() async throws {
    #expect(try await run("--filter", "reduce").code == .validationFailure)
  }

  @Test("--json writes the measured rows") func report() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    #expect(try await run("--filter", "width", "--json", file.path).code == .success)
    let rows = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [[String: Any]]
    #expect(rows?.count == 1)
    #expect(rows?.first?["name"] as? String == "width")
    #expect(rows?.first?["value"] as? Double == 80)
  }
}
