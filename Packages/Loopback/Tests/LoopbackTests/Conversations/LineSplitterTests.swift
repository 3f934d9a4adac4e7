import Testing

@testable import Loopback

@Suite struct LineSplitterTests {
  func split(_ pieces: [[UInt8]], limit: Int = 100) -> [LineSplitter.Piece] {
    var splitter = LineSplitter(limit: limit)
    return pieces.flatMap { splitter.append($0) } + splitter.finish()
  }

  func line(_ text: String, isTerminated: Bool = true) -> LineSplitter.Piece {
    .line(Line(bytes: Array(text.utf8), isTerminated: isTerminated))
  }

  @Test func `lines end in a line feed, with or without a return before it`() {
    #expect(split([Array("a\nb\r\n\n\r\nc\rd\n".utf8)]) == ["a", "b", "", "", "c\rd"].map { line($0) })
  }

  @Test func `what lacks its end is reported as such`() {
    #expect(split([Array("a\nb".utf8)]) == [line("a"), line("b", isTerminated: false)])
    #expect(split([Array("a\n".utf8)]) == [line("a")])
  }

  @Test func `a line at the limit passes, and one byte more does not, ended or not`() {
    #expect(split([Array("abc\r\n".utf8)], limit: 3) == [line("abc")])
    #expect(split([Array("abcd\n".utf8)], limit: 3) == [.tooLong])
    var splitter = LineSplitter(limit: 3)
    #expect(splitter.append(Array("ok\nabcd".utf8)) == [line("ok"), .tooLong])
  }

  @Test func `however bytes are cut, the lines are the same`() {
    for seed in UInt64(0)..<300 {
      var random = Seeded(seed)
      let alphabet: [UInt8] = [10, 13, 97, 98, 255]
      let bytes = (0..<Int.random(in: 0...80, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? 10 }
      #expect(split(random.pieces(of: bytes)) == split([bytes]), "seed \(seed)")
      #expect(split(bytes.map { [$0] }) == split([bytes]), "seed \(seed)")
    }
  }
}
