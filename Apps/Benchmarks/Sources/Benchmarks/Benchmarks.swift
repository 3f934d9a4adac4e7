import Arguments
import BenchmarkHarness
import Foundation

@main
enum Benchmarks {
  static func main() async throws {
    let run = Run.command.parseOrExit(width: 100)
    try FileManager.default.createDirectory(at: temporaryFolder, withIntermediateDirectories: true)
    let code = await measure(run)
    try? FileManager.default.removeItem(at: temporaryFolder)
    exit(code.rawValue)
  }

  /// Measures the benchmarks of all packages, in the order of the table.
  private nonisolated static func measure(_ run: Run) async -> ExitCode {
    await run.measure(
      parallel + futures + http + snapshots + pictures + terminal + orders + orderJournal,
      now: { Double(DispatchTime.now().uptimeNanoseconds) },
      print: { line in
        print(line)
        // So that a pipe shows each line as soon as it is measured.
        fflush(nil)
      },
      complain: { FileHandle.standardError.write(Data("error: \($0)\n".utf8)) })
  }
}

/// The folder of this run, which is removed at its end.
let temporaryFolder = FileManager.default.temporaryDirectory.appending(path: "benchmarks-\(UUID().uuidString)")

/// Returns the path of a new file in the folder of this run.
func temporaryFile(_ name: String) -> String {
  temporaryFolder.appending(path: "\(UUID().uuidString)-\(name)").path
}

/// The reason why a benchmark fails.
struct Failure: Error, CustomStringConvertible {
  var description: String
}
