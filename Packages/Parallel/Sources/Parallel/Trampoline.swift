public import Isolation

extension Parallel {
  /// Passes a value to the next stage through the trampoline.
  @inlinable
  static func pass(_ value: sending Value, to next: @escaping Callback) {
    let parcel = Parcel(value)
    Trampoline.call {
      next(parcel.take())
    } orLater: {
      { next(parcel.take()) }
    }
  }

  /// Releases a callback, which can own a long chain of callbacks, through the trampoline.
  @inlinable
  static func release(_ callback: inout Callback?) {
    Trampoline.call {
      callback = nil
    } orLater: {
      let last = callback
      return { _ = last }
    }
  }
}
