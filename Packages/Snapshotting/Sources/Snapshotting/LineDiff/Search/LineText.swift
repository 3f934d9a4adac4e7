/// The lines of a text by their bytes, which must outlive it.
struct LineText {
  private let bytes: UnsafePointer<UInt8>
  private let starts: [Int]

  init(_ table: LineTable, _ bytes: UnsafePointer<UInt8>) {
    self.bytes = bytes
    starts = table.starts
  }

  var count: Int { starts.count - 1 }

  @inline(__always) func start(_ line: Int) -> UnsafePointer<UInt8> { bytes + starts[line] }

  @inline(__always) func length(_ line: Int) -> Int { starts[line &+ 1] &- 1 &- starts[line] }

  func isSame(_ line: Int, _ other: Int) -> Bool {
    length(line) == length(other) && sameBytes(start(line), start(other), count: length(line))
  }

  /// The indentation of a line.
  ///
  /// An empty line has the maximum. It is below `.max`, the start value of the search in ``ChangeSliding``, so that
  /// empty lines are found.
  func indentation(of line: Int) -> Int {
    let line = UnsafeBufferPointer(start: start(line), count: length(line))
    let blanks = line.prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }.count
    return blanks == line.count || line[blanks] == UInt8(ascii: "\r") ? .max - 1 : blanks
  }
}
