package struct SourceLines {
  private let starts: [Int]
  private let count: Int

  package init(_ source: [UInt8]) {
    starts = [0] + source.indices.filter { source[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
    count = source.count
  }

  /// Returns the offset of a line and a column, which count from 1, or `nil` outside of the source.
  package func offset(line: UInt, column: UInt) -> Int? {
    guard line >= 1, column >= 1, line <= starts.count else { return nil }
    let start = starts[Int(line) - 1]
    return column - 1 <= UInt(count - start) ? start + Int(column) - 1 : nil
  }

  package func place(of offset: Int) -> (line: UInt, column: UInt) {
    let next = starts.firstIndex { $0 > offset } ?? starts.count
    return (UInt(next), UInt(offset - starts[next - 1] + 1))
  }
}
