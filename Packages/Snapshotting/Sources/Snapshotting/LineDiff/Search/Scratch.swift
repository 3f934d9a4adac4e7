/// The subscript checks its index only in debug builds, because the searches spend most of their time in it.
final class Scratch<Element: BitwiseCopyable> {
  let base: UnsafeMutablePointer<Element>
  let count: Int

  init(repeating element: Element, count: Int) {
    base = .allocate(capacity: max(count, 1))
    base.initialize(repeating: element, count: count)
    self.count = count
  }

  /// Allocates memory with arbitrary contents, which must be written before it is read.
  init(uninitialized count: Int) {
    base = .allocate(capacity: max(count, 1))
    self.count = count
  }

  deinit { base.deallocate() }

  subscript(index: Int) -> Element {
    @inline(__always) get {
      assert(index >= 0 && index < count)
      return base[index]
    }
    @inline(__always) set {
      assert(index >= 0 && index < count)
      base[index] = newValue
    }
  }
}
