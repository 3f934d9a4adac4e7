import Parallel
import TestSupport
import Testing

@Suite("Parallels start their work in each run")
struct ColdTests {
  @Test("a parallel does nothing until it is run, and does its work again in each run")
  func eachRunWorks() {
    let log = Log<String>()
    let parallel = Parallel<Int> { callback in
      log.append("work")
      callback(log.count)
    }
    #expect(log.all.isEmpty)
    parallel.run { log.append("value \($0)") }
    parallel.run { log.append("value \($0)") }
    #expect(log.all == ["work", "value 1", "work", "value 3"])
  }

  @Test("the work starts on the thread that calls run, and the callback runs on the thread that calls back")
  func threads() async {
    let threads = Log<UInt>()
    let caller = await onThread {
      let parallel = Parallel<Int> { callback in
        threads.append(threadNumber())
        callback(1)
      }
      parallel.run { _ in threads.append(threadNumber()) }
      return threadNumber()
    }
    #expect(threads.all == [caller, caller])
  }

  @Test("a ready value arrives before run returns, in each run")
  func readyValue() {
    let log = Log<Int>()
    let parallel = Parallel(value: 42)
    parallel.run { log.append($0) }
    #expect(log.all == [42])
    parallel.run { log.append($0) }
    #expect(log.all == [42, 42])
  }

  @Test("the value of a parallel can be a function")
  func functionValue() {
    let log = Log<Int>()
    let double: @Sendable (Int) -> Int = { $0 * 2 }
    Parallel(value: double).run { log.append($0(21)) }
    #expect(log.all == [42])
  }

  @Test("map calls its function once in each run, after the work and before the callback")
  func mapOrder() {
    let log = Log<String>()
    let parallel = Parallel<Int> { callback in
      log.append("work")
      callback(20)
    }
    .map { value in
      log.append("map")
      return value + 1
    }
    #expect(log.all.isEmpty)
    for _ in 1...2 { parallel.run { log.append("value \($0)") } }
    #expect(log.all == ["work", "map", "value 21", "work", "map", "value 21"])
  }

  @Test("flatMap creates and runs the second parallel once in each run, after the first has called back")
  func flatMapOrder() {
    let log = Log<String>()
    let first = HeldWork<Int>()
    let second = HeldWork<String>()
    let parallel = first.parallel.flatMap { value in
      log.append("transform \(value)")
      return second.parallel
    }
    parallel.run { log.append($0) }
    #expect(log.all.isEmpty)
    #expect(second.runCount == 0)
    first.answer(1)
    #expect(log.all == ["transform 1"])
    #expect(second.runCount == 1)
    second.answer("done")
    #expect(log.all == ["transform 1", "done"])

    parallel.run { log.append($0) }
    first.answer(2, run: 1)
    second.answer("again", run: 1)
    #expect(log.all == ["transform 1", "done", "transform 2", "again"])
  }

  @Test("a nil value of an optional type is called back like any value")
  func optionalValues() {
    let log = Log<Int?>()
    Parallel<Int?>(value: nil).run { log.append($0) }
    Parallel<Int?> { callback in callback(nil) }.map { $0 }.run { log.append($0) }
    #expect(log.all == [nil, nil])
  }
}
