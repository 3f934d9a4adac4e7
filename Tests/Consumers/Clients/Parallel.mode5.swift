// Code for older libraries, with callbacks that mutate captured variables. It compiles in mode 5.

import Parallel

func collected() -> [String] {
  var names: [String] = []
  Parallel<String> { callback in callback("Puffin") }.run { names.append($0) }
  return names
}
