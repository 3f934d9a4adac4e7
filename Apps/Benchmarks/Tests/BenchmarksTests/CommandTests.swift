import BenchmarkHarness
import Foundation
import Testing

@Suite("The benchmarks command") struct CommandTests {
  private func run(_ benchmarks: [Benchmark], _ arguments: String...) async throws -> (code: Int32, report: Data?) {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "report.json")
    let code = await Command.run(benchmarks, arguments: arguments + ["--json", file.path])
    return (code, try? Data(contentsOf: file))
  }

  private func depth(_ value: Int) -> Benchmark {
    Benchmark(name: "depth", budget: .amount(atMost: 64), subject: .number(unit: "frames") { value })
  }

  @Test("the benchmarks command exits with code 0 and writes the report if no counted budget is exceeded")
  func withinBudget() async throws {
    let (code, report) = try await run([depth(64)], "--counted-only")
    #expect(code == 0)
    let written = try #require(report)
    let rows = try #require(try JSONSerialization.jsonObject(with: written) as? [[String: Any]])
    #expect(rows.count == 1)
    #expect(rows.first?["within"] as? Bool == true)
  }

  @Test("the benchmarks command exits with code 1 and writes the report if a counted budget is exceeded")
  func exceededBudget() async throws {
    let (code, report) = try await run([depth(65)], "--counted-only")
    #expect(code == 1)
    #expect(report != nil)
  }

  @Test("the benchmarks command exits with code 2 for an unknown option, a filter without a match and a duplicate name")
  func invalidUsage() async throws {
    #expect(try await run([depth(1)], "--fast").code == 2)
    #expect(try await run([depth(1)], "--filter", "width").code == 2)
    #expect(try await run([depth(1), depth(1)]).code == 2)
  }
}
