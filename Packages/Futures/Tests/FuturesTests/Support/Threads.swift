import Foundation

/// Runs a function on a thread of its own with a stack of a given size, and waits for it without blocking a pool thread.
func onThread<Outcome: Sendable>(
  stackKilobytes: Int = 512, _ body: @escaping @Sendable () -> Outcome
) async -> Outcome {
  await withCheckedContinuation { continuation in
    startThread(stackKilobytes: stackKilobytes) { continuation.resume(returning: body()) }
  }
}

/// Runs a function on several threads at the same time, and waits for all of them.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) async {
  let barrier = Barrier(count)
  await withTaskGroup { group in
    for index in 0..<count {
      group.addTask {
        await onThread {
          barrier.wait()
          body(index)
        }
      }
    }
  }
}

/// Starts a thread, and does not wait for it.
func startThread(stackKilobytes: Int = 512, _ body: @escaping @Sendable () -> Void) {
  let thread = Thread { body() }
  thread.stackSize = stackKilobytes * 1024
  thread.start()
}

/// Lets threads go on when all of them have come.
final class Barrier: Sendable {
  private let missing: Box<Int>
  private let everybody = DispatchSemaphore(value: 0)

  init(_ count: Int) {
    missing = Box(count)
  }

  func wait() {
    let isLast = missing.update { missing in
      missing -= 1
      return missing == 0
    }
    if !isLast { everybody.wait() }
    everybody.signal()
  }
}
