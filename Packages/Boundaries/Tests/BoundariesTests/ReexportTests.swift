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
}
