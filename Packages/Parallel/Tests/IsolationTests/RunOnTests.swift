import Dispatch
import Isolation
import Testing

@Suite("run(on:) and erasingIsolation")
struct RunOnTests {
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

  private final class Box: @unchecked Sendable {
    // Unchecked: used on one thread in each test.
    var value = 0
  }

  @Test("run(on: nil) runs its work at once")
  func none() {
    let box = Box()
    run(on: nil) { box.value += 1 }
    #expect(box.value == 1)
  }

  @Test("run(on:) the main actor from the main actor runs its work at once")
  @MainActor func mainFromMain() {
    let box = Box()
    run(on: MainActor.shared) {
      MainActor.assertIsolated()
      box.value += 1
    }
    #expect(box.value == 1)
  }

  @Test("run(on:) the main actor from another thread runs its work on the main queue, in order and once")
  func mainFromAnotherThread() async {
    let box = Box()
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        for number in 1...100 {
          run(on: MainActor.shared) {
            MainActor.assertIsolated()
            if box.value == number - 1 { box.value = number }
          }
        }
        run(on: MainActor.shared) { continuation.resume() }
      }
    }
    #expect(box.value == 100)
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
    #expect(generic(7) == 7)
    #expect(generic("a long enough string to be stored out of line") == "a long enough string to be stored out of line")
  }

  private func generic<Value: Sendable>(_ value: Value) -> Value {
    let closure: @Sendable @isolated(any) (Value) -> Value = { $0 }
    return erasingIsolation(closure)(value)
  }

  @Test("the isolation of a closure on a global actor is that actor")
  func globalActor() {
    let closure: @Sendable @isolated(any) (Int) -> Void = { @MainActor _ in }
    #expect(closure.isolation === MainActor.shared)
  }
}

/// Returns a closure with the isolation of its context, like the closures of `Parallel`.
private func formedHere(
  @_inheritActorContext _ closure: @escaping @Sendable @isolated(any) (Int) -> Int
) -> @Sendable @isolated(any) (Int) -> Int {
  closure
}
