public import Dispatch

extension DispatchQueue {
  /// Runs a function on this queue, and returns a future of its value.
  @preconcurrency
  public func asyncValue<T>(_ execute: @escaping @Sendable () -> T) -> Future<T, Never> {
    Future { complete in self.async { complete(.success(execute())) } }
  }

  /// Runs a function on this queue, and returns a future of its result.
  @preconcurrency
  public func asyncResult<T, E>(_ execute: @escaping @Sendable () -> Result<T, E>) -> Future<T, E> {
    Future { complete in self.async { complete(execute()) } }
  }

  /// Runs a function on this queue at a given time, and returns a future of its value.
  @preconcurrency
  public func asyncValueAfter<T>(
    _ deadline: DispatchTime, execute: @escaping @Sendable () -> T
  ) -> Future<T, Never> {
    Future { complete in self.asyncAfter(deadline: deadline) { complete(.success(execute())) } }
  }
}
