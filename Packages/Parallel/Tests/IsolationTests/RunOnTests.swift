import Dispatch
import Isolation
import TestSupport
import Testing

@Suite("isMainThread(), run(on:) and erasingIsolation")
struct RunOnTests {
  @Test("the main actor runs on the main thread, also after the main queue has left the first thread")
  @MainActor func mainActorIsMainThread() {
    #expect(isMainThread())
  }

  @Test(
    "threads of global queues and of the cooperative pool are not the main thread, even after running the main queue")
  func otherThreads() async {
    #expect(!isMainThread())
    for _ in 1...100 {
      let answers = await withCheckedContinuation { continuation in
        DispatchQueue.main.async {
          let onMain = isMainThread()
          DispatchQueue.global().async { continuation.resume(returning: [onMain, isMainThread()]) }
        }
      }
      #expect(answers == [true, false])
    }
  }

  private actor Accumulator {
    private(set) var total = 0

    func adder() -> @Sendable @isolated(any) (Int) -> Int {
      formedHere { number in
        self.assertIsolated()
        self.total += number
        return self.total
      }
    }
  }

  @Test("run(on:) without an actor, and on the main actor from itself, runs its work at once")
  @MainActor func atOnce() {
    for isolation in [nil, MainActor.shared] as [(any Actor)?] {
      let log = Log<Int>()
      run(on: isolation) { log.append(1) }
      #expect(log.all == [1])
    }
  }

  @Test("run(on:) the main actor from another thread runs its work on the main queue, in order and once")
  func mainFromAnotherThread() async {
    let log = Log<Int>()
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        for number in 1...100 {
          run(on: MainActor.shared) {
            MainActor.assertIsolated()
            log.append(number)
          }
        }
        run(on: MainActor.shared) { continuation.resume() }
      }
    }
    #expect(log.all == Array(1...100))
  }

  @Test("run(on:) an actor runs an erased closure once on that actor, where it can use the actor's members")
  func otherActor() async {
    let accumulator = Accumulator()
    let adder = await accumulator.adder()
    #expect(adder.isolation === accumulator)
    let raw = erasingIsolation(adder)
    let answer = await withCheckedContinuation { continuation in
      run(on: adder.isolation) { continuation.resume(returning: raw(41)) }
    }
    #expect(answer == 41)
    #expect(await accumulator.total == 41)
  }

  @Test("run(on:) an actor keeps the order of the calls")
  func otherActorInOrder() async {
    actor Recorder {
      var numbers: [Int] = []
      func append(_ number: Int) { numbers.append(number) }
    }
    for _ in 1...100 {
      let recorder = Recorder()
      await withCheckedContinuation { continuation in
        for number in 1...20 {
          run(on: recorder) { recorder.assumeIsolated { $0.append(number) } }
        }
        run(on: recorder) { continuation.resume() }
      }
      #expect(await recorder.numbers == Array(1...20))
    }
  }

  @Test("an erased closure takes and returns values of any layout")
  func erased() {
    let add: @Sendable @isolated(any) (Int) -> Int = { $0 + 1 }
    #expect(add.isolation == nil)
    #expect(erasingIsolation(add)(41) == 42)
    let describe: @Sendable @isolated(any) ((Int, String, Double)) -> [String] = { ["\($0.0)", $0.1, "\($0.2)"] }
    #expect(erasingIsolation(describe)((1, "a", 2.5)) == ["1", "a", "2.5"])
    final class Note { var text = "note" }
    let take: @Sendable @isolated(any) (sending Note) -> String = { $0.text }
    #expect(erasingIsolation(transferring: take)(Note()) == "note")
  }
}

/// Returns a closure with the isolation of its context, like the closures of `Parallel`.
private func formedHere(
  @_inheritActorContext _ closure: @escaping @Sendable @isolated(any) (Int) -> Int
) -> @Sendable @isolated(any) (Int) -> Int {
  closure
}
