extension Sequence {
  /// A future of the first result that is there, success or failure.
  ///
  /// An empty sequence never completes.
  public func firstCompleted<T, E>() -> Future<T, E> where Element == Future<T, E> {
    let futures = Array(self)
    return Future { complete in
      for future in futures { future.onComplete(immediateExecutionContext, callback: complete) }
    }
  }
}
