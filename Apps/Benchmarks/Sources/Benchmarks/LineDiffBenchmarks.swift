import BenchmarkHarness
import Foundation
import Snapshotting

/// The line diff against a `diff -u` process on the same files.
///
/// The line diff reads the files, compares them, and formats the hunks. The output of `diff` is discarded.
let lineDiff: [Benchmark] = TextPair.all.flatMap(timed) + TextPair.all.filter { $0.lines == 50_000 }.map(peak)

private func timed(_ pair: TextPair) -> [Benchmark] {
  let gnu = "GNU diff: \(pair.name)"
  var rows = [
    Benchmark(
      name: "line diff: \(pair.name)", baseline: gnu, budget: .ratio(atMost: 1),
      subject: .duration { iterations in
        for _ in 0..<iterations { blackHole(difference(of: pair)) }
      }),
    Benchmark(
      name: gnu,
      subject: .duration { iterations in
        let files = textPairs.files(of: pair)
        for _ in 0..<iterations { DiffCommand.run(files.old.path, files.new.path) }
      }),
  ]
  // `CollectionDifference` needs quadratic memory if half of the lines differ: gigabytes, and tens of seconds.
  if pair.lines < 10_000 || pair.change != .half {
    rows.append(
      Benchmark(
        name: "CollectionDifference: \(pair.name)", baseline: gnu,
        subject: .duration { iterations in
          for _ in 0..<iterations { blackHole(collectionDifference(of: pair)) }
        }))
  }
  return rows
}

private func peak(_ pair: TextPair) -> Benchmark {
  Benchmark(
    name: "line diff, memory: \(pair.name)", budget: .amount(atMost: 20_000_000),
    subject: .peak {
      let texts = textPairs.texts(of: pair)
      // The cached texts are not counted.
      blackHole(LineDiff(old: texts.old, new: texts.new).text)
    })
}

private func difference(of pair: TextPair) -> String {
  let files = textPairs.files(of: pair)
  return LineDiff(old: text(files.old), new: text(files.new)).text
}

private func collectionDifference(of pair: TextPair) -> Int {
  let files = textPairs.files(of: pair)
  let old = text(files.old).split(separator: "\n", omittingEmptySubsequences: false)
  let new = text(files.new).split(separator: "\n", omittingEmptySubsequences: false)
  return new.difference(from: old).count
}

private func text(_ file: URL) -> String {
  guard let text = try? String(contentsOf: file, encoding: .utf8) else {
    fail("Cannot read \(file.path): it is missing or not UTF-8. Run the benchmarks again.")
  }
  return text
}
