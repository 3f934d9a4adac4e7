/// Writes hunks as UTF-8.
struct DiffWriter {
  private let format: LineDiff.Format
  private var bytes: [UInt8] = []

  init(_ format: LineDiff.Format) { self.format = format }

  /// Writes the header of a hunk.
  mutating func header(_ header: String) {
    startLine()
    if format.isColored { append(Color.header) }
    append(header)
    if format.isColored { append(Color.end) }
  }

  /// Writes a line.
  ///
  /// - Parameter changed: The changed parts of a line that is mostly equal.
  mutating func line(_ kind: LineDiff.Line.Kind, _ line: UnsafeBufferPointer<UInt8>, changed: [Range<Int>]) {
    startLine()
    if format.isColored { append(Color.start(of: kind)) }
    append(Self.mark(of: kind))
    if format.needsWords {
      rich(kind, line, changed: changed)
    } else {
      bytes.append(contentsOf: line)
    }
    if line.last == 0x20 { append("¬") }
    if format.isColored { append(Color.end) }
  }

  /// Writes an empty line and the notes.
  mutating func notes(_ notes: [String]) {
    guard !notes.isEmpty else { return }
    startLine()
    for note in notes {
      startLine()
      append(note)
    }
  }

  /// The text.
  consuming func finish() -> String { String(decoding: bytes, as: UTF8.self) }

  private mutating func startLine() {
    if !bytes.isEmpty { bytes.append(0x0A) }
  }

  private mutating func append(_ text: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  private static func mark(of kind: LineDiff.Line.Kind) -> StaticString {
    switch kind {
    case .common: "\u{2007}"
    case .removed: "\u{2212}"
    case .added: "+"
    }
  }

  private mutating func rich(
    _ kind: LineDiff.Line.Kind, _ line: UnsafeBufferPointer<UInt8>, changed: [Range<Int>]
  ) {
    var written = 0
    for range in changed {
      visible(line, written..<range.lowerBound, whitespace: false)
      if format.marksWords { append(format.isColored ? Color.startOfWord : kind == .removed ? "[\u{2212}" : "{+") }
      visible(line, range, whitespace: format.showsWhitespace)
      if format.marksWords { append(format.isColored ? Color.endOfWord : kind == .removed ? "\u{2212}]" : "+}") }
      written = range.upperBound
    }
    visible(line, written..<line.count, whitespace: false)
  }

  private mutating func visible(_ line: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, whitespace: Bool) {
    let part = UnsafeBufferPointer(rebasing: line[range])
    guard whitespace || format.isColored else { return bytes.append(contentsOf: part) }
    for scalar in String(decoding: part, as: UTF8.self).unicodeScalars {
      if let symbol = symbol(for: scalar, whitespace: whitespace) {
        append(symbol)
      } else {
        bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      }
    }
  }

  private enum Color {
    static let header: StaticString = "\u{1B}[36m"
    static let end: StaticString = "\u{1B}[0m"
    static let startOfWord: StaticString = "\u{1B}[7m"
    static let endOfWord: StaticString = "\u{1B}[27m"

    static func start(of kind: LineDiff.Line.Kind) -> StaticString {
      switch kind {
      case .common: "\u{1B}[2m"
      case .removed: "\u{1B}[31m"
      case .added: "\u{1B}[32m"
      }
    }
  }
}
