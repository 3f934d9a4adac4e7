import Boundaries
import Testing

@Suite("The umbrella")
struct ReexportTests {
  @Test("One import brings the cold value, the hot one, and the way from one to the other")
  func oneImport() async {
    let cold: Parallel<Int> = zip(Parallel(value: 20), Parallel(value: 22), with: +)
    let hot = Future<Int, Never>(cold)
    #expect(await hot.get() == 42)
    #expect(NetworkError.Kind.timedOut != .cancelled)
  }

  @Test("It brings a diff of snapshots, the policy of orders, and the values of navigation")
  func cores() {
    #expect(LineDiff(old: "puffin\n", new: "robin\n").hunks.count == 1)
    #expect(TakingPolicy.deck != TakingPolicy())
    #expect(NodeID(rawValue: 1) != NodeID(rawValue: 2))
  }
}
