import BenchmarkHarness
import Foundation

@main
enum Benchmarks {
  /// Every benchmark, in the order of the table.
  ///
  /// A package's own are in a file named for it.
  static let all: [Benchmark] =
    toolchain + parallel + futures + futuresAtScale + lineDiff + images + snapshots + coordinators + terminalShell
    + orderTaking

  static func main() async {
    exit(await Command.run(all, arguments: Array(CommandLine.arguments.dropFirst())))
  }
}
