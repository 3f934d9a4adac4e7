/// One hunk of all lines, until the line diff takes its place.
func interimDifference(_ old: String, _ new: String) -> String {
  let oldLines = old.split(separator: "\n", omittingEmptySubsequences: false)
  let newLines = new.split(separator: "\n", omittingEmptySubsequences: false)
  let removed = oldLines.map { "\u{2212}\($0)" }
  let inserted = newLines.map { "+\($0)" }
  return (["@@ \u{2212}1,\(oldLines.count) +1,\(newLines.count) @@"] + removed + inserted).joined(separator: "\n")
}
