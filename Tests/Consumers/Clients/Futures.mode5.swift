// Code for older libraries, with callbacks that mutate captured variables. It compiles in mode 5.

import Futures

func collected() -> [Int] {
  var values: [Int] = []
  Future<Int, Never>(value: 1).onSuccess(immediateExecutionContext) { values.append($0) }
  return values
}
