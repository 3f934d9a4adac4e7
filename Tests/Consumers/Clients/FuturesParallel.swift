// A client of `FuturesParallel`.

import Futures
import FuturesParallel
import Parallel

func shared(_ name: Parallel<String>) -> Future<Int, Never> {
  Future(name).map(immediateExecutionContext) { $0.count }
}

func fallible(_ name: Parallel<Result<String, CancellationError>>) -> Future<String, CancellationError> {
  Future(name)
}

func repeated(_ name: Future<String, Never>) -> Parallel<Int> {
  name.parallel.map { $0.get().count }
}
