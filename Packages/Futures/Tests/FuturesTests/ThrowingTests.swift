import Futures
import Testing

private let now = immediateExecutionContext

private enum Trouble: Error, Equatable { case negative }

private func root(of number: Int) throws(Trouble) -> Double {
  guard number >= 0 else { throw .negative }
  return Double(number).squareRoot()
}

@Suite("tryMap")
struct ThrowingTests {
  @Test("an error that the function throws is the new future's error")
  func typedError() {
    let numbers = [16, -1].map { Future<Int, Trouble>(value: $0).tryMap(now, f: root) }
    #expect(numbers.map(\.value) == [4, nil])
    #expect(numbers.map(\.error) == [nil, .negative])
  }

  @Test("a closure that names the future's error type may throw it")
  func closureWithType() async {
    let future = Future<Int, Trouble>(value: 16).tryMap { number throws(Trouble) in try root(of: number) }
    #expect(await future.get() as Result<Double, Trouble> == .success(4))
    let failed = Future<Int, Trouble>(value: -1).tryMap(now) { number throws(Trouble) in
      guard number >= 0 else { throw .negative }
      return number
    }
    #expect(failed.error == .negative)
  }

  @Test("a closure may throw any error if the future's error type is any Error")
  func anyError() async {
    let future = Future<Int, any Error>(value: -1).tryMap { try root(of: $0) }
    await #expect(throws: Trouble.negative) { try await future.get() }
  }

  @Test("a function that throws runs on the actor that it was created on")
  @MainActor
  func actor() async throws {
    var calls = 0
    let future = Future<Int, any Error>(value: 4).tryMap { number in
      MainActor.assertIsolated()
      calls += 1
      return try root(of: number)
    }
    #expect(try await future.get() == 2)
    #expect(calls == 1)
  }

  @Test("a flatMap to a future of asynchronous work compiles in the documented forms")
  func workInFlatMap() async throws {
    let anyError = Future<Int, any Error>(value: 20)
    #expect(try await anyError.flatMap { number in Future { try await double(number) } }.get() == 40)
    #expect(try await anyError.flatMap { number in Future { await number.triple() } }.get() == 60)
    let never = Future<Int, Never>(value: 20)
    #expect(await never.flatMap { number in Future { await number.triple() } }.get() == 60)
    let typed = Future<Int, Trouble>(value: 16)
    let roots = [
      typed.flatMap { number in Future { () async throws(Trouble) in try await rootLater(of: number) } },
      typed.flatMap { _ in Future(rootOf16) },
      typed.flatMap { _ in Future { complete in complete(.success(4)) } },
      typed.flatMap { number in Future<Double, Trouble> { await Double(number.triple()) / 12 } },
    ]
    #expect(try await roots.sequence().get() == [4, 4, 4, 4])
  }
}

private func double(_ number: Int) async throws -> Int { number * 2 }

@Sendable private func rootLater(of number: Int) async throws(Trouble) -> Double { try root(of: number) }

@Sendable private func rootOf16() async throws(Trouble) -> Double { 4 }

extension Int {
  fileprivate func triple() async -> Int { self * 3 }
}
