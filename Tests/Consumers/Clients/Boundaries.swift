// A client of the umbrella: one import for all modules that an app links.

import Boundaries

func shared(_ name: Parallel<String>) -> Future<Int, Never> {
  Future(name).map(immediateExecutionContext) { $0.count }
}

func isTransient(_ error: NetworkError) -> Bool { error.kind == .timedOut }
