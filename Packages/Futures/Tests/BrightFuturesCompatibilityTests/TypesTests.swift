import BrightFuturesCompatibility
import Dispatch
import Foundation
import TestSupport
import Testing

@Suite("The rarer operations of BrightFutures")
struct TypesTests {
  @Test("forceType, promoteError and promoteValue change only the type")
  func types() {
    let forced: Future<any Sendable, any Error> = Future<Int, Trouble>(value: 1).forceType()
    #expect(forced.value as? Int == 1)
    let failed: Future<String, any Error> = Future<Int, Trouble>(error: .first).forceType()
    #expect(failed.error as? Trouble == .first)
    let wrapped: Future<Int, FuturesError<Trouble>> =
      Future<Int, FuturesError<Never>>(error: .noSuchElement).promoteError()
    #expect(wrapped.error == .noSuchElement)
    let valued: Future<Int, Trouble> = Future<Never, Trouble>(error: .first).promoteValue()
    #expect(valued.error == .first)
  }

  #if DEBUG
    @Test("forceType to another type stops the program, with the types and without the value")
    func wrongType() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let forced: Future<Int, Trouble> = Future<String, Trouble>(value: "secret").forceType()
        _ = forced.value
      }
      let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(message.contains("Cannot use a String as a Int: forceType needs a value of that type. Use map"))
      #expect(!message.contains("secret"))
    }
  #endif

  @Test("semaphores and operation queues have contexts that can be called")
  func contexts() async {
    let log = Log<String>()
    DispatchSemaphore(value: 1).context { log.append("semaphore") }
    #expect(log.all == ["semaphore"])
    let queued = Promise<Bool, Never>()
    OperationQueue().context { queued.success(!Thread.isMainThread) }
    #expect(await queued.future.get())
  }

  @Test("a Result can be created and analysed in the ways of BrightFutures")
  func results() {
    let success = Result<Int, Trouble>(value: 1)
    let failure = Result<Int, Trouble>(error: .first)
    #expect(success.analysis(ifSuccess: { "\($0)" }, ifFailure: { "\($0)" }) == "1")
    #expect(failure.analysis(ifSuccess: { "\($0)" }, ifFailure: { "\($0)" }) == "first")
  }

  @Test("a trailing closure of Result is still the body that the standard library calls") func resultOfTrailingClosure()
  {
    // Without a type in the closure, a second initialiser could match.
    func value<T>(of result: Result<T, any Error>) -> T? { try? result.get() }
    let found: Any? = value(of: Result { 1 })
    #expect(found as? Int == 1)
  }
}
