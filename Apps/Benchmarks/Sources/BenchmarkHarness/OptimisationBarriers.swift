/// Returns its argument, hidden from the optimiser.
@inline(never)
@_optimize(none)
public func identity<Value>(_ value: Value) -> Value { value }

/// Does nothing, but the optimiser must assume that it uses its argument.
@inline(never)
@_optimize(none)
public func blackHole<Value>(_ value: Value) {}
