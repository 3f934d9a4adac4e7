public import Dispatch

extension DispatchQueue {
  @preconcurrency
  public func asyncValue<T>(_ execute: @escaping @Sendable () -> T) -> Future<T, Never> {
    Future { complete in self.async { complete(.success(execute())) } }
  }

  @preconcurrency
  public func asyncResult<T, E>(_ execute: @escaping @Sendable () -> Result<T, E>) -> Future<T, E> {
    Future { complete in self.async { complete(execute()) } }
  }

  @preconcurrency
  public func asyncValueAfter<T>(
    _ deadline: DispatchTime, execute: @escaping @Sendable () -> T
  ) -> Future<T, Never> {
    Future { complete in self.asyncAfter(deadline: deadline) { complete(.success(execute())) } }
  }
}
