extension Array where Element: AnyObject {
  /// The objects, which the array keeps, so that nobody need retain each in passing: in a long list that is most of the
  /// time.
  @inlinable
  func withUnmanaged<Result>(_ body: (UnsafeBufferPointer<Unmanaged<Element>>) -> Result) -> Result {
    withUnsafeBufferPointer { $0.withMemoryRebound(to: Unmanaged<Element>.self, body) }
  }
}
