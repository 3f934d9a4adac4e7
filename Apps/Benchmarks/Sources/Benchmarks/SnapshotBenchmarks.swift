import BenchmarkHarness
import Foundation
import SnapshotAssertions

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// The benchmarks of snapshots.
///
/// `dump` and `readable` against the standard library's `dump` of the same 10,000 nodes. A passing assertion of 20 lines
/// against the minimal work: open, stat, read, close and compare.
let snapshots: [Benchmark] = DumpedValue.all.flatMap(\.rows) + passingAssertion

private struct DumpedValue: Sendable {
  let name: String
  let make: @Sendable () -> Any

  static let all = [
    DumpedValue(name: "10,000 numbers") { Array(0..<10_000) },
    DumpedValue(name: "2,000 structures of 4 members") { (0..<2_000).map { Member(number: $0) } },
    DumpedValue(name: "5,000 nested structures") {
      (0..<5_000).reduce(0 as Any) { inner, _ in Nested(inner: inner) }
    },
    DumpedValue(name: "a dictionary of 3,333 pairs") {
      Dictionary(uniqueKeysWithValues: (0..<3_333).map { ("key \($0)", $0) })
    },
    DumpedValue(name: "a set of 10,000 numbers") { Set(0..<10_000) },
  ]

  var rows: [Benchmark] {
    let standard = "standard dump: \(name)"
    return [
      Benchmark(
        name: "dump: \(name)", baseline: standard, budget: .ratio(atMost: 1.2),
        subject: .duration { iterations in shown(make(), as: .dump, iterations) }),
      Benchmark(
        name: "readable: \(name)", baseline: standard,
        subject: .duration { iterations in shown(make(), as: .readable, iterations) }),
      Benchmark(
        name: standard,
        subject: .duration { iterations in
          let value = make()
          for _ in 0..<iterations {
            var text = ""
            dump(value, to: &text)
            blackHole(text)
          }
        }),
    ]
  }
}

private struct Member {
  var number: Int
  var text = "text"
  var fraction = 1.5
  var isTrue = true
}

private struct Nested {
  var inner: Any
  var number = 1
}

private func shown(_ value: Any, as strategy: Snapshotting<Any, String>, _ iterations: Int) {
  for _ in 0..<iterations { strategy.snapshot(value).run { blackHole($0) } }
}

private let passingAssertion: [Benchmark] = [
  Benchmark("passing assertion of 20 lines", baseline: "open+read+compare of 20 lines", budget: .ratio(atMost: 2.5)) {
    iterations in
    for _ in 0..<iterations { passedReference.verify() }
  },
  Benchmark(
    name: "passing assertions, memory: 100,000", budget: .amount(atMost: 20_000),
    subject: .peak {
      for _ in 0..<100_000 { passedReference.verify() }
    }),
  Benchmark("open+read+compare of 20 lines") { iterations in
    for _ in 0..<iterations { passedReference.compare() }
  },
]

/// Recorded on first use, and removed at exit.
private let passedReference: PassedReference = {
  atexit { passedReference.remove() }
  return PassedReference()
}()

/// A recorded reference file.
private final class PassedReference: Sendable {
  private let text: String
  private let bytes: [UInt8]
  private let folder: String
  private let path: String

  init() {
    text = (1...20).map { "line \($0) of a text of twenty" }.joined(separator: "\n")
    bytes = Array(text.utf8)
    folder = NSTemporaryDirectory() + "benchmarks-\(UUID().uuidString)"
    path = folder + "/verify.x.txt"
    _ = failure(record: .all)
  }

  func remove() {
    try? FileManager.default.removeItem(atPath: folder)
  }

  private func failure(record: SnapshotTestingConfiguration.Record) -> String? {
    verifySnapshot(of: text, as: .lines, named: "x", record: record, snapshotDirectory: folder, testName: "verify")
  }

  func verify() {
    if let failure = failure(record: .never) {
      fail("Cannot measure a passing assertion: it failed. Check the folder \(folder). \(failure)")
    }
  }

  func compare() {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    var status = stat()
    fstat(file, &status)
    let isEqual = withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 16) { buffer in
      guard let start = buffer.baseAddress else { return false }
      let count = read(file, start, Int(status.st_size))
      return count == bytes.count && memcmp(start, bytes, count) == 0
    }
    close(file)
    if !isEqual {
      fail("Cannot compare the reference \(path): it differs from the recorded text. Run the benchmarks again.")
    }
  }
}
