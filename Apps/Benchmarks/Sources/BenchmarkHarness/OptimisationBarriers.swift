/// Returns its argument, and the optimiser cannot know that.
@inline(never)
@_optimize(none)
public func identity<Value>(_ value: Value) -> Value { value }

/// Uses its argument as far as the optimiser can see.
@inline(never)
@_optimize(none)
public func blackHole<Value>(_ value: Value) {}
