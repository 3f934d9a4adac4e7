/// Memory of a computation's own, freed with the last reference to it.
///
/// Its subscript checks its index in debug builds only: the searches that use it spend their time there.
final class Scratch<Element: BitwiseCopyable> {
  let base: UnsafeMutablePointer<Element>
  let count: Int

  init(repeating element: Element, count: Int) {
    base = .allocate(capacity: max(count, 1))
    base.initialize(repeating: element, count: count)
    self.count = count
  }

  /// Memory whose contents are arbitrary, for what is written before it is read: pages that are not needed are not touched.
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
