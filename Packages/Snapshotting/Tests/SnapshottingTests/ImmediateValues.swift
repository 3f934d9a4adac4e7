import Parallel
import TestSupport
import Snapshotting

/// Returns the value of a parallel that calls back once before `run` returns; otherwise `nil`.
func immediateValue<Value: Sendable>(of parallel: Parallel<Value>) -> Value? {
  let log = Log<Value>()
  parallel.run { log.append($0) }
  return log.all.count == 1 ? log.all[0] : nil
}

func taken<Value, Format: Sendable>(_ value: Value, as strategy: Snapshotting<Value, Format>) -> Format? {
  immediateValue(of: strategy.snapshot(value))
}
