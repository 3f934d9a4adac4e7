/// Formats the rows as aligned lines of text below a heading.
public func table(_ rows: [Row]) -> String {
  let heading = ["name", "median", "minimum", "unit", "allocations", "ratio", "to", "budget", ""]
  let lines = [heading] + rows.map(cells)
  let widths = heading.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
  let numeric: Set = [1, 2, 4, 5]
  return lines.map { line in
    let padded = line.indices.map { column in
      let gap = String(repeating: " ", count: widths[column] - line[column].count)
      return numeric.contains(column) ? gap + line[column] : line[column] + gap
    }
    let text = padded.joined(separator: "  ")
    return String(text.reversed().drop { $0 == " " }.reversed())
  }.joined(separator: "\n")
}

private func cells(_ row: Row) -> [String] {
  [
    row.name, number(row.median), number(row.minimum), row.unit, number(row.allocations), number(row.ratio),
    row.baseline ?? "–", row.budget.map { "\($0.limits.rawValue) ≤ \(number($0.most))" } ?? "–", verdict(row),
  ]
}

/// The last column.
///
/// A ratio over its budget is not a failure, because the cause may be the machine.
private func verdict(_ row: Row) -> String {
  switch row.within {
  case true?: "ok"
  case false?: row.isFailure ? "EXCEEDED" : "over"
  case nil: ""
  }
}

/// Formats a number with at most two decimals, and without decimals from 100: `1.05`, `12`, `318`.
func number(_ value: Double?) -> String {
  guard let value else { return "–" }
  let scale: Double = abs(value) < 100 ? 100 : 1
  let hundredths = Int((value * scale).rounded())
  guard scale > 1, hundredths % 100 != 0 else { return "\(hundredths / Int(scale))" }
  let sign = hundredths < 0 ? "-" : ""
  let (whole, rest) = abs(hundredths).quotientAndRemainder(dividingBy: 100)
  let decimals = rest % 10 == 0 ? "\(rest / 10)" : rest < 10 ? "0\(rest)" : "\(rest)"
  return "\(sign)\(whole).\(decimals)"
}
