import BenchmarkHarness
import Foundation
import SnapshotAssertions

/// The benchmarks of a passing assertion, a dump and a line diff.
let snapshots: [Benchmark] = [
  .ratio("passing assertion of 20 lines", atMost: 2.5, to: "open, stat, read and compare") {
    let reference = try reference.get()
    for _ in 0..<100 { try reference.verify() }
    return 100
  } baseline: {
    let reference = try reference.get()
    for _ in 0..<100 { try reference.compare() }
    return 100
  },
  .ratio("dump of 2,000 structures", atMost: 1.5, to: "the standard library's dump") {
    let birds = (0..<2_000).map { Bird(number: $0) }
    Snapshotting<[Bird], String>.dump.snapshot(birds).run { blackHole($0) }
    return 1
  } baseline: {
    let birds = (0..<2_000).map { Bird(number: $0) }
    var text = ""
    dump(birds, to: &text)
    blackHole(text)
    return 1
  },
  lineDiff("each hundredth different", to: changedByHundredth),
  lineDiff("each second different", to: changedBySecond),
  .peak("line diff: memory of 50,000 lines, each second different", atMost: 20_000_000) {
    let (old, new) = (lines(), lines(changing: 2))
    blackHole(LineDiff(old: old, new: new).text)
  },
]

private struct Bird {
  var number: Int
  var name = "puffin"
  var length = 28.5
  var flies = true
}

/// Recorded on first use.
private let reference = Result { try Reference() }

/// A recorded reference file.
private struct Reference {
  private let text = (1...20).map { "line \($0) of a text of twenty" }.joined(separator: "\n")
  private let bytes: [UInt8]

  init() throws {
    bytes = Array(text.utf8)
    _ = failure(record: .all)
  }

  func verify() throws {
    if let failure = failure(record: .never) { throw Failure(description: failure) }
  }

  private func failure(record: SnapshotTestingConfiguration.Record) -> String? {
    verifySnapshot(
      of: text, as: .lines, named: "x", record: record, snapshotDirectory: temporaryFolder.path, testName: "verify")
  }

  /// Does the minimal work for the same result.
  func compare() throws {
    let file = open(temporaryFolder.path + "/verify.x.txt", O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    var status = stat()
    fstat(file, &status)
    let isEqual = withUnsafeTemporaryAllocation(byteCount: Int(status.st_size), alignment: 16) { buffer in
      guard let start = buffer.baseAddress, read(file, start, buffer.count) == bytes.count else { return false }
      return memcmp(start, bytes, bytes.count) == 0
    }
    guard isEqual else { throw Failure(description: "The reference differs from the recorded text.") }
  }
}

private let original = file(of: lines())
private let changedByHundredth = file(of: lines(changing: 100))
private let changedBySecond = file(of: lines(changing: 2))

/// Returns 50,000 lines; a fifth of them are equal.
private func lines(changing step: Int = .max) -> String {
  (1...50_000).map { number in
    if number.isMultiple(of: step) { return "  changed \(number)\n" }
    return number.isMultiple(of: 5) ? "  }\n" : "  line \(number) has the value \(number * 7_919 % 100_003)\n"
  }.joined()
}

/// Writes a text to a new file and returns its path.
private func file(of text: String) -> String {
  let path = temporaryFile("lines.txt")
  _ = FileManager.default.createFile(atPath: path, contents: Data(text.utf8))
  return path
}

/// Compares the original with a changed file, with the line diff and with `diff -u`.
private func lineDiff(_ name: String, to changed: @autoclosure @escaping @Sendable () -> String) -> Benchmark {
  .ratio("line diff: 50,000 lines, \(name)", atMost: 3, to: "diff -u") {
    let old = try String(contentsOfFile: original, encoding: .utf8)
    let new = try String(contentsOfFile: changed(), encoding: .utf8)
    blackHole(LineDiff(old: old, new: new).text)
    return 1
  } baseline: {
    // The exit code 1 means that the files differ.
    guard system("diff -u '\(original)' '\(changed())' >'\(original).diff'") == 1 << 8 else {
      throw Failure(description: "The program `diff` failed. Install diffutils.")
    }
    return 1
  }
}
