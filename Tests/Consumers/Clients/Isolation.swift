// A client of `Isolation`: it runs a closure on the closure's actor.

import Isolation

func deliver(_ value: Int, to callback: @escaping @Sendable @isolated(any) (Int) -> Void) {
  let home = callback.isolation
  let raw = erasingIsolation(callback)
  run(on: home) { raw(value) }
}
