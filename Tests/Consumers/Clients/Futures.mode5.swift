// Code as users of older libraries have it: callbacks that mutate what they captured. It moves over in mode 5.

import Futures

func collected() -> [Int] {
  var values: [Int] = []
  Future<Int, Never>(value: 1).onSuccess(immediateExecutionContext) { values.append($0) }
  return values
}
