// Code as users of older libraries have it: callbacks that mutate what they captured. It moves over in mode 5.

import Parallel

func collected() -> [String] {
  var names: [String] = []
  Parallel<String> { callback in callback("Puffin") }.run { names.append($0) }
  return names
}
