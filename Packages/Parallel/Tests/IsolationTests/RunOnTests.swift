import Dispatch
import Isolation
import Testing

@Suite("run(on:)")
struct RunOnTests {
  private actor Home {
    private(set) var visits = 0

    func visitor() -> @Sendable @isolated(any) (Int) -> Int {
      formedHere { number in
        self.assertIsolated()
        self.visits += number
        return self.visits
      }
    }
  }

  private final class Box: @unchecked Sendable {
    // Unchecked: used on one thread in each test.
    var value = 0
  }

  @Test("no isolation: at once, on this thread")
  func none() {
    let box = Box()
    run(on: nil) { box.value += 1 }
    #expect(box.value == 1)
  }

  @Test("the main actor, from the main actor: at once")
  @MainActor func mainFromMain() {
    let box = Box()
    run(on: MainActor.shared) {
      MainActor.assertIsolated()
      box.value += 1
    }
    #expect(box.value == 1)
  }

  @Test("the main actor, from elsewhere: on the main queue, in order, exactly once")
  func mainFromElsewhere() async {
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

  @Test("any other actor: there, exactly once, and erased closures reach its members")
  func otherActor() async {
    let home = Home()
    let visitor = await home.visitor()
    #expect(visitor.isolation === home)
    let raw = erasingIsolation(visitor)
    let answer = await withCheckedContinuation { continuation in
      run(on: visitor.isolation) { continuation.resume(returning: raw(41)) }
    }
    #expect(answer == 41)
    #expect(await home.visits == 41)
  }

  @Test("an erased closure is the closure, for values of any layout")
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

  @Test("a global actor's closure knows its actor")
  func globalActor() {
    let closure: @Sendable @isolated(any) (Int) -> Void = { @MainActor _ in }
    #expect(closure.isolation === MainActor.shared)
  }
}

/// Gives a closure the isolation of where it is written, as the closures of `Parallel` have it.
private func formedHere(
  @_inheritActorContext _ closure: @escaping @Sendable @isolated(any) (Int) -> Int
) -> @Sendable @isolated(any) (Int) -> Int {
  closure
}
