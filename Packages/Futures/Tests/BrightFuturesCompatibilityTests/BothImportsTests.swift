import BrightFuturesCompatibility
import Futures
import Testing

@Suite("A file that also imports Futures")
struct BothImportsTests {
  @Test("operations that both modules have are those of Futures")
  func operations() async throws {
    #expect((Future<Int, Trouble>(error: .first) ?? 1).value == 1)
    #expect((Future<Int, Trouble>(error: .first) ?? Future<Int, Trouble>(value: 2)).value == 2)
    #expect(try await Future<Int, Trouble>(value: 2).filter { $0 > 1 }.get() == 2)
    #expect(try await [Future<Int, Trouble>(value: 2)].fold(1, f: +).get() == 3)
    #expect(try await [Future<Int, Trouble>(value: 2)].find { $0 > 1 }.get() == 2)
  }
}
