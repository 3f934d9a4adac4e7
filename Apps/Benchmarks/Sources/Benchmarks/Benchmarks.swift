import BenchmarkHarness
import Foundation

@main
enum Benchmarks {
  /// All benchmarks, in the order of the table.
  ///
  /// Each package has a file of its name.
  static let all: [Benchmark] =
    toolchain + parallel + parallelStages + futures + futuresAtScale + futuresCancellation + lineDiff + images
    + snapshots + coordinators + terminalShell + orderTaking + orderJournal + orderDatabase + http

  static func main() async {
    exit(await Command.run(all, arguments: Array(CommandLine.arguments.dropFirst())))
  }
}
