/// Creates a future from a function that calls back with an optional value and an optional error.
///
/// The value counts if both are present. If both are absent, the future stays pending.
///
/// ```swift
/// materialize { loadPicture(completion: $0) }.onSuccess { show($0) }
/// ```
@preconcurrency
public func materialize<T, E: Error>(
  _ scope: (@escaping @Sendable (T?, E?) -> Void) -> Void
) -> Future<T, E> {
  Future { complete in
    scope { value, error in
      if let value { complete(.success(value)) } else if let error { complete(.failure(error)) }
    }
  }
}

@preconcurrency
public func materialize<T>(_ scope: (@escaping @Sendable (T) -> Void) -> Void) -> Future<T, Never> {
  Future { complete in scope { complete(.success($0)) } }
}

/// Creates a future from a function that calls back with an optional error; without an error the future succeeds.
@preconcurrency
public func materialize<E: Error>(_ scope: (@escaping @Sendable (E?) -> Void) -> Void) -> Future<Void, E> {
  Future { complete in
    scope { error in complete(error.map { .failure($0) } ?? .success(())) }
  }
}
