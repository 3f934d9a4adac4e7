import Dispatch
import Isolation
import Parallel
import TestSupport
import Testing

/// A snapshot that is not `Sendable`, like the images of several platforms.
private final class Snapshot {
  var text: String
  init(_ text: String) { self.text = text }
}

@Suite("Closures created on an actor")
struct ActorTests {
  @Test("a run on the main actor of main-actor closures calls back before run returns")
  @MainActor func fastPath() {
    var log: [String] = []
    let parallel = Parallel<Int> { callback in
      log.append("work")
      callback(20)
    }
    .map { value in
      log.append("map")
      return value + 1
    }
    .flatMap { value in
      log.append("flatMap")
      return Parallel(value: value * 2)
    }
    parallel.run { value in
      log.append("run \(value)")
    }
    #expect(log == ["work", "map", "flatMap", "run 42"])
  }

  @Test("closures of the main actor run there although the run starts and calls back on other threads")
  func mainActor() async {
    let log = Log<Bool>()
    let parallel = await Self.loggedOnMain(log)
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        log.append(isMainThread())
        parallel.run { _ in
          log.append(isMainThread())
          continuation.resume()
        }
      }
    }
    #expect(log.all == [false, true, true, true, true])
  }

  @MainActor private static func loggedOnMain(_ log: Log<Bool>) -> Parallel<Int> {
    .delegate { callback in
      MainActor.assertIsolated()
      log.append(isMainThread())
      DispatchQueue.global().async { callback(1) }
      return CountedObject(in: ObjectCounter())
    }
    .map { value in
      MainActor.assertIsolated()
      log.append(isMainThread())
      return value
    }
    .receive(on: .global())
    .flatMap { value in
      MainActor.assertIsolated()
      log.append(isMainThread())
      return Parallel(value: value)
    }
  }

  private actor Counter {
    private(set) var count = 0

    func counting() -> Parallel<Int> {
      Parallel<Int> { callback in
        self.assertIsolated()
        self.count += 1
        callback(self.count)
      }
      .map { value in
        self.assertIsolated()
        self.count += 10
        return value + self.count
      }
      .receive(on: .global())
      .flatMap { value in
        self.assertIsolated()
        self.count += 100
        return Parallel(value: value)
      }
    }
  }

  @Test("closures created on an actor run on that actor and can use its members")
  func customActor() async throws {
    let counter = Counter()
    let parallel = await counter.counting()
    #expect(try await parallel.value() == 12)
    #expect(await counter.count == 111)
    #expect(try await parallel.value() == 234)
  }

  @Test("a value that is not Sendable can be transferred between actors")
  @MainActor func notSendable() async throws {
    let snapshot = Parallel<Snapshot> { $0(Snapshot("fresh")) }.start(on: DispatchQueue(label: "elsewhere"))
    let done = AsyncStream<String>.makeStream()
    snapshot.run { snapshot in
      snapshot.text += " and changed"
      done.continuation.yield(snapshot.text)
    }
    for await text in done.stream {
      #expect(text == "fresh and changed")
      break
    }
  }
}
