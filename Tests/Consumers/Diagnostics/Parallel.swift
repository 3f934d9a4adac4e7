// Mode 6 must diagnose these lines: each is a data race if the callback runs on another thread.
// `@preconcurrency` makes them warnings, so that users of older libraries can migrate file by file.

import Parallel

func collected() -> [String] {
  var names: [String] = []
  // warning: mutation of captured var 'names'
  Parallel<String> { callback in callback("Puffin") }.run { names.append($0) }
  return names
}

final class Counter {
  var count = 0
}

func captured(_ counter: Counter) {
  // warning: capture of 'counter' with non-Sendable type
  Parallel<Int> { callback in callback(1) }.run { counter.count += $0 }
}
