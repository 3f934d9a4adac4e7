extension Array where Element: AnyObject {
  /// In a long list, retaining each object would take most of the time.
  @inlinable
  func withUnmanaged<Result>(_ body: (UnsafeBufferPointer<Unmanaged<Element>>) -> Result) -> Result {
    withUnsafeBufferPointer { $0.withMemoryRebound(to: Unmanaged<Element>.self, body) }
  }
}
