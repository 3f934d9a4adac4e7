// Mode 6 must diagnose these lines: each is a data race if the callback runs on another thread.
// `@preconcurrency` makes most of them warnings, so that users of older libraries can migrate file by file.

import Futures

func collected() -> [Int] {
  var values: [Int] = []
  // warning: mutation of captured var 'values'
  Future<Int, Never>(value: 1).onSuccess(immediateExecutionContext) { values.append($0) }
  return values
}

final class Counter {
  var count = 0
}

// error: type 'Counter' does not conform to the 'Sendable' protocol
func shared() -> Future<Counter, Never> {
  fatalError("a future is shared, so its value has to be Sendable")
}
