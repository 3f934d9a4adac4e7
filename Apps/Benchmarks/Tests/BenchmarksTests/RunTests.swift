import Arguments
import BenchmarkHarness
import Foundation
import Testing

@Suite("The command benchmarks") struct RunTests {
  private static let benchmarks: [Benchmark] = [
    .amount("depth", of: "frames", atMost: 64) { 65 },
    .amount("width", of: "columns", atMost: 80) { 80 },
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
}
