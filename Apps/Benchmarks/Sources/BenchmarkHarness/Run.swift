public import Arguments
import Foundation

public struct Run: Sendable {
  /// Whether to measure only counted values.
  public var countedOnly: Bool
  /// A text that the names of the measured benchmarks contain.
  public var filter: String?
  public var json: String?

  public static let command = Command(
    "benchmarks", abstract: "Measure the packages, and compare each cost with its budget.",
    discussion: """
      Counted values (allocations, bytes) are the same in every run. The exit code is 1 if one exceeds its budget or a \
      benchmark fails. A time is compared with a baseline in the same run and never changes the exit code: the last \
      lines list the ratios over their budgets.
      """, output: Run.init
  ) {
    Flag("counted-only", help: "Measure only counted values.")
    Option<String?>("filter", valueName: "text", help: "Measure only benchmarks whose name contains the text.")
    Option<String?>("json", valueName: "path", help: "Write the rows to a JSON file.", completion: .file)
  }

  /// Measures the selected benchmarks, and prints a line for each of them.
  public func measure(
    _ benchmarks: [Benchmark], now: () -> Double, print: (String) -> Void, complain: (String) -> Void
  ) async -> ExitCode {
    let selected = benchmarks.filter(selects)
    guard !selected.isEmpty else {
      complain("Cannot measure: no benchmark has the text `\(filter ?? "")` in its name. Use another --filter.")
      return .validationFailure
    }
    let width = (selected.map(\.name) + ["benchmark"]).map(\.count).max() ?? 0
    print(line("benchmark", ["measured", "at most", "", ""], width))
    var rows: [Row] = []
    for benchmark in selected {
      let row = await benchmark.measure(now: now)
      print(line(row.name, row.cells, width))
      rows.append(row)
    }
    var isSuccess = write(rows, complain)
    let over = rows.filter { $0.isOver && !$0.isCounted }
    if !over.isEmpty { print("\nOver budget. A time does not fail the run:") }
    for row in over { print("  \(description(of: row))") }
    for row in rows {
      if let error = row.error {
        complain("Cannot measure \(row.name): \(error)")
        isSuccess = false
      } else if row.isOver, row.isCounted {
        complain("Cannot keep the budget of \(description(of: row)). Reduce the cost, or raise the budget.")
        isSuccess = false
      }
    }
    return isSuccess ? .success : .failure
  }

  private func selects(_ benchmark: Benchmark) -> Bool {
    if let filter, !benchmark.name.contains(filter) { return false }
    if case .ratio = benchmark.kind { return !countedOnly }
    return true
  }

  private func write(_ rows: [Row], _ complain: (String) -> Void) -> Bool {
    guard let json else { return true }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      try encoder.encode(rows).write(to: URL(filePath: json), options: .atomic)
      return true
    } catch {
      complain("Cannot write the report to \(json): \(error.localizedDescription) Use --json with another path.")
      return false
    }
  }
}

/// Joins the cells of a row in columns: texts on the left, numbers on the right.
private func line(_ name: String, _ cells: [String], _ width: Int) -> String {
  let padding = String(repeating: " ", count: width - name.count)
  let numbers = cells[..<2].map { String(repeating: " ", count: max(0, 10 - $0.count)) + $0 }
  return ([name + padding] + numbers + cells[2...].filter { !$0.isEmpty }).joined(separator: "  ")
}

private func description(of row: Row) -> String {
  "\(row.name): \(row.value.map(number) ?? "–") \(row.unit), at most \(number(row.atMost))"
}
