import Foundation

/// The result of a benchmark: a line of the table, and an object of the report.
public struct Row: Sendable, Encodable {
  public var name: String
  /// The measured value; `nil` if this system cannot count it, or after an error.
  public var value: Double?
  public var atMost: Double
  /// The unit of the value, or `×` and the name of the baseline.
  public var unit: String
  /// Whether the value is the same in every run, so that exceeding the budget fails the run.
  public var isCounted: Bool
  /// The median time of one operation in nanoseconds, for a ratio.
  public var nanoseconds: Double?
  public var error: String?

  public var isOver: Bool { value.map { $0 > atMost } ?? false }

  /// The value, the budget and the time as text.
  var cells: [String] {
    [value.map(number) ?? "–", number(atMost), unit, nanoseconds.map(time) ?? ""]
  }
}

extension Benchmark {
  /// The number of samples of a ratio, and the minimum duration of a sample.
  private static let samples = 5
  private static let sampleLength = 20_000_000.0

  ///
  /// The samples of a ratio alternate with those of its baseline, so that other load on the machine affects both.
  ///
  /// - Parameter now: The time of a monotonic clock, in nanoseconds.
  public func measure(now: () -> Double) async -> Row {
    switch kind {
    case .counted(let unit, let count):
      return Row(name: name, value: count(), atMost: atMost, unit: unit, isCounted: true)
    case .ratio(let work, let baselineName, let baseline):
      var row = Row(name: name, atMost: atMost, unit: "× \(baselineName)", isCounted: false)
      do {
        // The first calls make what lives as long as the process.
        _ = try await (work(), baseline())
        var (times, ratios): ([Double], [Double]) = ([], [])
        for _ in 0..<Self.samples {
          let time = try await Self.time(of: work, now)
          times.append(time)
          ratios.append(time / (try await Self.time(of: baseline, now)))
        }
        row.nanoseconds = times.sorted()[Self.samples / 2]
        row.value = ratios.sorted()[Self.samples / 2]
      } catch {
        row.error = "\(error)"
      }
      return row
    }
  }

  /// Returns the time of one operation in nanoseconds.
  private static func time(of work: Work, _ now: () -> Double) async throws -> Double {
    let start = now()
    var operations = 0
    var elapsed = 0.0
    while elapsed < sampleLength {
      operations += try await work()
      elapsed = now() - start
    }
    return elapsed / Double(operations)
  }
}

/// Formats a number without decimals if it is whole, and with two decimals otherwise.
func number(_ value: Double) -> String {
  String(format: value == value.rounded() ? "%.0f" : "%.2f", value)
}

private func time(_ nanoseconds: Double) -> String {
  switch nanoseconds {
  case ..<1_000: String(format: "%.1f ns", nanoseconds)
  case ..<1_000_000: String(format: "%.1f µs", nanoseconds / 1_000)
  default: String(format: "%.1f ms", nanoseconds / 1_000_000)
  }
}
