import Parallel
import TestSupport
import Testing

/// The `zip` of the episodes that introduce `Parallel`, with its two unsynchronised variables.
///
/// Each of two threads writes its own value, and then checks whether the other value has arrived. The model is divided
/// into these steps, so that a test can try every interleaving.
private struct NaiveZip {
  enum Step: CaseIterable { case readOther, writeOwn, decide }

  private var own: [Int?] = [nil, nil]
  private var seen: [Int?] = [nil, nil]
  private(set) var callbacks: [[Int]] = []

  /// The episodes' order: a callback writes its own variable and then reads the other's.
  ///
  /// Another thread can see these in either order: a compiler can move the read above the write, and a processor can
  /// execute the load while the store waits in its buffer. So the tests try both orders.
  static let orders: [[Step]] = [[.writeOwn, .readOther, .decide], [.readOther, .writeOwn, .decide]]

  mutating func perform(_ step: Step, on thread: Int) {
    switch step {
    case .writeOwn: own[thread] = thread + 1
    case .readOther: seen[thread] = own[1 - thread]
    case .decide:
      guard let mine = own[thread], let other = seen[thread] else { return }
      callbacks.append(thread == 0 ? [mine, other] : [other, mine])
    }
  }
}

@Suite("The unsynchronised zip of the episodes, compared with zip")
struct NaiveZipTests {
  /// All ways to interleave two sequences of `count` steps, each as the list of the thread that runs next.
  private func interleavings(of count: Int) -> [[Int]] {
    (0..<(1 << (2 * count))).map { bits in (0..<(2 * count)).map { bits >> $0 & 1 } }
      .filter { $0.reduce(0, +) == count }
  }

  private func callbackCounts(left: [NaiveZip.Step], right: [NaiveZip.Step]) -> [Int] {
    interleavings(of: 3).map { schedule in
      var zip = NaiveZip()
      var next = [0, 0]
      for thread in schedule {
        zip.perform([left, right][thread][next[thread]], on: thread)
        next[thread] += 1
      }
      return zip.callbacks.count
    }
  }

  @Test("the unsynchronised zip loses its callback in some interleavings and calls back twice in others")
  func unsynchronised() {
    let inOrder = callbackCounts(left: NaiveZip.orders[0], right: NaiveZip.orders[0])
    #expect(inOrder.count == 20)
    #expect(inOrder.contains(2), "both see the other's value")
    #expect(!inOrder.contains(0))

    let reordered = NaiveZip.orders.flatMap { left in
      NaiveZip.orders.flatMap { right in callbackCounts(left: left, right: right) }
    }
    #expect(reordered.contains(0), "neither sees the other's value")
    #expect(reordered.contains(2))
  }

  @Test("zip calls back exactly once when two threads call back concurrently")
  func synchronised() async {
    // A test cannot interrupt atomic operations, so this uses real threads. If the countdown were a load and a store,
    // a few thousand rounds would lose a callback. ThreadSanitizer needs only one.
    let runs = isThreadSanitized ? 1_000 : 20_000
    let log = Log<[Int]>()
    let callbacks = (0..<2).map { _ in Log<Parallel<Int>.Callback>() }
    let parallels = callbacks.map { callbacks in Parallel<Int> { callbacks.append($0) } }
    let zipped = zip(parallels[0], parallels[1], with: { [$0, $1] })
    for _ in 0..<runs { zipped.run { log.append($0) } }
    let all = callbacks.map(\.all)
    await inStep(threads: 2, rounds: runs) { thread, run in all[thread][run](run + thread) }
    #expect(log.all.sorted { $0[0] < $1[0] } == (0..<runs).map { [$0, $0 + 1] })
  }
}
