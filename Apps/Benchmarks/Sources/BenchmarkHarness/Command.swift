public import Foundation

/// The `benchmarks` command: measures, prints the table as it goes, writes the report.
public enum Command {
  /// Runs the command.
  ///
  /// - Parameters:
  ///   - benchmarks: All there are.
  ///   - arguments: The command's arguments, without its name.
  /// - Returns: The exit code: 0, or 1 when a counted budget is exceeded or the report cannot be written, or 2 when an
  ///   argument makes no sense.
  public static func run(_ benchmarks: [Benchmark], arguments: [String]) async -> Int32 {
    let options: Options
    do throws(Options.Misunderstanding) {
      options = try Options(arguments)
    } catch {
      return complain(error.description, code: 2)
    }
    if let problem = problem(in: benchmarks) { return complain(problem, code: 2) }

    let chosen = options.chosen(from: benchmarks)
    switch options.action {
    case .help: print(Options.help)
    case .list: for benchmark in chosen { print(benchmark.name) }
    case .measure:
      guard !chosen.isEmpty else { return complain("no benchmark fits; see --list", code: 2) }
      return await measure(chosen, of: benchmarks, options)
    }
    return 0
  }

  private static func measure(_ chosen: [Benchmark], of all: [Benchmark], _ options: Options) async -> Int32 {
    let runner = Runner(all, effort: options.countedOnly ? .countedOnly : .full) {
      Double(DispatchTime.now().uptimeNanoseconds)
    }
    var rows: [Row] = []
    for benchmark in chosen { rows.append(await runner.measure(benchmark)) }

    print(table(rows))
    if !AllocationMeter.isAvailable {
      print("Allocations cannot be counted on this system: their budgets were not checked.")
    }
    if let path = options.json {
      let file = URL(fileURLWithPath: path)
      do {
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try report(rows).write(to: file, options: .atomic)
      } catch {
        return complain("the report could not be written to \(path): \(error.localizedDescription)", code: 1)
      }
    }
    let failures = rows.filter(\.isFailure).map(\.name)
    guard failures.isEmpty else {
      return complain("counted budgets exceeded: \(failures.joined(separator: ", "))", code: 1)
    }
    return 0
  }

  private static func complain(_ text: String, code: Int32) -> Int32 {
    FileHandle.standardError.write(Data("error: \(text)\n".utf8))
    return code
  }
}

/// The rows as a JSON array, one object each, with the nine keys of ``Row`` in alphabetical order.
public func report(_ rows: [Row]) throws -> Data {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
  return try encoder.encode(rows)
}

/// What is wrong with a list of benchmarks, or `nil`: names must differ, and a baseline must be a timed one.
public func problem(in benchmarks: [Benchmark]) -> String? {
  var timed: [String: Bool] = [:]
  for benchmark in benchmarks {
    guard timed[benchmark.name] == nil else { return "two benchmarks are named `\(benchmark.name)`" }
    timed[benchmark.name] = benchmark.unit == "ns"
  }
  for benchmark in benchmarks {
    if let baseline = benchmark.baseline, timed[baseline] != true {
      return "`\(benchmark.name)` is held against `\(baseline)`, which is no benchmark of a time"
    }
    if benchmark.budget?.limits == .ratio, benchmark.baseline == nil {
      return "`\(benchmark.name)` has a budget for a ratio, and no baseline"
    }
  }
  return nil
}
