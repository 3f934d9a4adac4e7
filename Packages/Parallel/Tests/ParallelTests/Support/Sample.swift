import Dispatch
import Parallel
import TestSupport

/// The description of a parallel: its value, and when that arrives.
struct Sample: Sendable, Hashable {
  enum Arrival: Sendable, Hashable, CaseIterable { case ready, atOnce, later }

  let value: Int
  let arrival: Arrival

  var parallel: Parallel<Int> {
    switch arrival {
    case .ready: Parallel(value: value)
    case .atOnce: Parallel { [value] callback in callback(value) }
    case .later: .later(value)
    }
  }

  /// Samples that call back before `run` returns.
  static let synchronous = samples(of: [.ready, .atOnce])
  /// Samples of all kinds, including parallels that call back from other threads.
  static let any = samples(of: Arrival.allCases)

  private static func samples(of arrivals: [Arrival]) -> Generator<Sample> {
    Generator.zip(Generator<Int>.int(in: -99...99), Generator<Arrival>.element(of: arrivals)).map {
      Sample(value: $0, arrival: $1)
    }
  }
}

/// Runs a parallel and returns the values that it calls back with before the run returns.
func answers<Value: Sendable>(of parallel: Parallel<Value>) -> [Value] {
  let log = Log<Value>()
  parallel.run { log.append($0) }
  return log.all
}
