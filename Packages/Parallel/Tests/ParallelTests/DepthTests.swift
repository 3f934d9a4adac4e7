import Dispatch
import Parallel
import ParallelTesting
import Testing

@Suite("Deep chains of parallels")
struct DepthTests {
  @Test(
    "a chain of ten thousand maps runs on a thread with a large stack, and is released there",
    .disabled(if: isThreadSanitized, "ThreadSanitizer keeps a call stack of its own, with room for 65,536 calls"))
  func tenThousandMaps() async {
    let value = await onThread(stackSize: 64 << 20) {
      let log = Log<Int>()
      var parallel = Parallel<Int> { $0(0) }
      for _ in 0..<10_000 { parallel = parallel.map { $0 + 1 } }
      parallel.run { log.append($0) }
      return log.all
    }
    #expect(value == [10_000])
  }

  @Test("two hundred stages fit in a stack of 512 KiB, also in a debug build")
  func smallStack() async {
    let stages = 200
    let values = await onThread {
      let log = Log<Int>()
      var maps = Parallel<Int> { $0(0) }
      var flatMaps = Parallel<Int> { $0(0) }
      for _ in 0..<stages {
        maps = maps.map { $0 + 1 }
        flatMaps = flatMaps.flatMap { value in Parallel { $0(value + 1) } }
      }
      maps.run { log.append($0) }
      flatMaps.run { log.append($0) }
      countdown(from: stages).run { log.append($0) }
      return log.all
    }
    #expect(values == [stages, stages, 0])
  }

  @Test("a recursion of a hundred thousand steps that switch queues does not overflow the stack")
  func queueSwitches() async throws {
    let values = try await queueSwitchingCountdown(from: 100_000).value()
    #expect(values == 0)
  }
}

/// A recursion with `flatMap` on one stack.
@Sendable private func countdown(from number: Int) -> Parallel<Int> {
  number == 0 ? Parallel(value: 0) : Parallel { $0(number) }.flatMap { countdown(from: $0 - 1) }
}

@Sendable private func queueSwitchingCountdown(from number: Int) -> Parallel<Int> {
  number == 0
    ? Parallel(value: 0)
    : Parallel { $0(number) }.receive(on: .global()).flatMap { queueSwitchingCountdown(from: $0 - 1) }
}
