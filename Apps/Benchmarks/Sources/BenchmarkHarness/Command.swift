public import Foundation

/// The `benchmarks` command: measures, prints the table, and writes the report.
public enum Command {
  /// Runs the command.
  ///
  /// - Parameters:
  ///   - benchmarks: All benchmarks.
  ///   - arguments: The command's arguments, without its name.
  /// - Returns: The exit code: 0 for success; 1 if a counted budget is exceeded or the report cannot be written; 2 for an
  ///   invalid argument, a filter without a match, or an inconsistent list of benchmarks.
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
      guard !chosen.isEmpty else { return complain(options.noMatch, code: 2) }
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
      print(
        "Cannot check the budgets of allocations and bytes: this system cannot count them. Use Linux with glibc.")
    }
    if let path = options.json {
      let file = URL(fileURLWithPath: path)
      do {
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try report(rows).write(to: file, options: .atomic)
      } catch {
        return complain(
          "Cannot write the report to \(path): \(error.localizedDescription) Use --json with another path.", code: 1)
      }
    }
    let failures = rows.filter(\.isFailure).map { "`\($0.name)`" }
    guard failures.isEmpty else {
      return complain(
        "Cannot keep the counted budgets of \(failures.joined(separator: ", ")): the measured values exceed them. "
          + "Reduce the cost, or raise the budgets.", code: 1)
    }
    return 0
  }

  private static func complain(_ text: String, code: Int32) -> Int32 {
    FileHandle.standardError.write(Data("error: \(text)\n".utf8))
    return code
  }
}

/// Encodes the rows as a JSON array of objects, with the nine keys of ``Row`` in alphabetical order.
public func report(_ rows: [Row]) throws -> Data {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
  return try encoder.encode(rows)
}

/// Returns the first inconsistency in a list of benchmarks, or `nil`.
///
/// Names must be unique, a baseline must be a timed benchmark, a budget must limit a measured value, and a ratio budget
/// needs a baseline.
public func problem(in benchmarks: [Benchmark]) -> String? {
  var timed: [String: Bool] = [:]
  for benchmark in benchmarks {
    guard timed[benchmark.name] == nil else {
      return cannotUse(benchmark, "another one has this name. Rename one of them.")
    }
    timed[benchmark.name] = benchmark.subject.measured.contains(.ratio)
  }
  for benchmark in benchmarks {
    if let baseline = benchmark.baseline, timed[baseline] != true {
      return cannotUse(benchmark, "its baseline `\(baseline)` is not a timed benchmark. Name one as the baseline.")
    }
    guard let limit = benchmark.budget?.limits else { continue }
    let measured = benchmark.subject.measured
    guard measured.contains(limit) else {
      let others = measured.map(\.rawValue).joined(separator: " or the ")
      return cannotUse(
        benchmark, "its budget limits the \(limit.rawValue), which is never measured. Limit the \(others).")
    }
    if limit == .ratio, benchmark.baseline == nil {
      return cannotUse(benchmark, "it has a ratio budget but no baseline. Add a baseline.")
    }
  }
  return nil
}

private func cannotUse(_ benchmark: Benchmark, _ reason: String) -> String {
  "Cannot use the benchmark `\(benchmark.name)`: \(reason)"
}
