#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The nesting depth and the work list of a thread, which keep long chains from using the stack.
///
/// Beyond ``maximumDepth`` nested calls, a call is added to the work list. The deepest nested call makes the calls in the list
/// before it returns, so they run on the same thread and before the outermost call returns.
///
/// Only its own thread uses a trampoline, and no access continues while user code runs, so exclusivity is not checked.
@usableFromInline
struct Trampoline {
  /// The maximum number of nested calls, for the small stacks of pool threads.
  @usableFromInline static let maximumDepth = 16

  @usableFromInline
  struct State {
    @usableFromInline var depth = 0
    @usableFromInline var calls: [() -> Void] = []
  }

  @usableFromInline let state: UnsafeMutablePointer<State>

  @usableFromInline static var current: Trampoline {
    if let pointer = pthread_getspecific(key) { return Trampoline(state: pointer.assumingMemoryBound(to: State.self)) }
    let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
    state.initialize(to: State())
    pthread_setspecific(key, state)
    return Trampoline(state: state)
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { pointer in
      let pointer: UnsafeMutableRawPointer? = pointer
      let state = pointer?.assumingMemoryBound(to: State.self)
      state?.deinitialize(count: 1)
      state?.deallocate()
    }
    return key
  }()

  @inlinable var hasRoom: Bool { state.pointee.depth < Self.maximumDepth }

  @inlinable
  func beginLevel() {
    state.pointee.depth += 1
  }

  @inlinable
  func endLevel() {
    if state.pointee.depth == Self.maximumDepth { makeCalls() }
    state.pointee.depth -= 1
  }

  @usableFromInline
  func add(_ call: @escaping () -> Void) {
    state.pointee.calls.append(call)
  }

  @usableFromInline
  func makeCalls() {
    var batch: [() -> Void] = []
    while !state.pointee.calls.isEmpty {
      swap(&batch, &state.pointee.calls)
      for call in batch { call() }
      batch.removeAll(keepingCapacity: true)
    }
  }

  @inlinable
  @inline(__always)
  static func call(_ now: () -> Void, orLater later: () -> () -> Void) {
    let trampoline = current
    guard trampoline.hasRoom else { return trampoline.add(later()) }
    trampoline.beginLevel()
    now()
    trampoline.endLevel()
  }

  @inlinable
  static func release<Value>(_ function: inout Parallel<Value>.Callback?) {
    call {
      function = nil
    } orLater: {
      let last = function
      return { _ = last }
    }
  }

  @inlinable
  static func pass<Value>(_ value: sending Value, to next: @escaping Parallel<Value>.Callback) {
    // Without `call`, which would need a parcel for both branches: unspecialised code looks up the type of each parcel.
    let trampoline = current
    guard trampoline.hasRoom else {
      let parcel = Parcel(value)
      return trampoline.add { next(parcel.take()) }
    }
    trampoline.beginLevel()
    next(value)
    trampoline.endLevel()
  }
}
