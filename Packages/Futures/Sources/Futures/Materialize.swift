/// Creates a future from a function that calls back with an optional value and an optional error.
///
/// The error counts when there is one. Neither a value nor an error is a mistake of the function: the future then stays
/// pending, and in a debug build the program stops.
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
      if let error {
        complete(.failure(error))
      } else if let value {
        complete(.success(value))
      } else {
        assertionFailure("Cannot complete the future: the function called back with neither a value nor an error.")
      }
    }
  }
}

/// Creates a future from a function that calls back with a value.
@preconcurrency
public func materialize<T>(_ scope: (@escaping @Sendable (T) -> Void) -> Void) -> Future<T, Never> {
  Future { complete in scope { complete(.success($0)) } }
}

/// Creates a future from a function that calls back with an error, or with `nil` when all went well.
@preconcurrency
public func materialize<E: Error>(_ scope: (@escaping @Sendable (E?) -> Void) -> Void) -> Future<Void, E> {
  Future { complete in
    scope { error in complete(error.map { .failure($0) } ?? .success(())) }
  }
}
