import Parallel
import TestSupport
import Snapshotting

/// What a run that answers before it returns has called back with.
func answer<Value: Sendable>(of parallel: Parallel<Value>) -> Value? {
  let log = Log<Value>()
  parallel.run { log.append($0) }
  return log.all.count == 1 ? log.all[0] : nil
}

/// What a strategy makes of a value before it returns.
func taken<Value, Format: Sendable>(_ value: Value, as strategy: Snapshotting<Value, Format>) -> Format? {
  answer(of: strategy.snapshot(value))
}
