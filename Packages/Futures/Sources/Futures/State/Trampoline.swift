#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A work list for each thread, which keeps a chain of a million futures from using the stack.
///
/// A completion calls its listeners before it returns, so completions inside callbacks nest. Calls beyond
/// ``maximumDepth`` levels wait in a list. The deepest level makes them before it returns, on the same thread. Calls
/// from listener to upstream and the release of long chains never nest.
///
/// Only its own thread uses a trampoline, and no access continues while user code runs, so exclusivity is not checked.
@usableFromInline
final class Trampoline {
  /// The maximum number of nested levels, few enough for the small stacks of pool threads.
  @usableFromInline static let maximumDepth = 48

  enum Call {
    case deliver(ListenerList, _AsyncCore)
    case cancel(_AsyncCore)
  }

  @usableFromInline @exclusivity(unchecked) var depth = 0
  @exclusivity(unchecked) private var calls: [Call] = []
  /// The waiting calls that are made next, in reverse order.
  @exclusivity(unchecked) private var batch: [Call] = []
  @exclusivity(unchecked) private var chores: [() -> Void] = []
  @exclusivity(unchecked) private var nextChore = 0
  /// The level that is doing chores, or a negative number.
  @exclusivity(unchecked) private var choreLevel = -1

  private init() {}

  static var current: Trampoline { unmanaged.takeUnretainedValue() }

  @usableFromInline static var unmanaged: Unmanaged<Trampoline> {
    if let pointer = pthread_getspecific(key) { return Unmanaged.fromOpaque(pointer) }
    let trampoline = Unmanaged.passRetained(Trampoline())
    pthread_setspecific(key, trampoline.toOpaque())
    return trampoline
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { pointer in
      let pointer: UnsafeMutableRawPointer? = pointer
      if let pointer { Unmanaged<Trampoline>.fromOpaque(pointer).release() }
    }
    return key
  }()

  // MARK: Calls, which may nest

  @inlinable var hasRoom: Bool { depth < Self.maximumDepth }

  @inlinable
  func beginLevel() {
    depth += 1
  }

  @inlinable
  func endLevel() {
    if depth == Self.maximumDepth { makeWaitingCalls() }
    depth -= 1
  }

  static func deliver(_ listeners: ListenerList, of upstream: _AsyncCore) {
    unmanaged._withUnsafeGuaranteedRef { trampoline in
      guard trampoline.hasRoom else { return trampoline.calls.append(.deliver(listeners, upstream)) }
      trampoline.beginLevel()
      call(listeners, of: upstream)
      trampoline.endLevel()
    }
  }

  private static func call(_ listeners: ListenerList, of upstream: _AsyncCore) {
    var listeners = listeners
    while let listener = listeners.popFirst() {
      if !listener.deferReactionIfUnwanted(to: upstream, in: nil) { _ = listener.reaction(listener, upstream, true) }
    }
  }

  func cancel(_ core: _AsyncCore) {
    guard hasRoom else { return calls.append(.cancel(core)) }
    beginLevel()
    core.cancelNow()
    endLevel()
  }

  /// A call may call this again, which makes the rest.
  @usableFromInline
  func makeWaitingCalls() {
    while true {
      if batch.isEmpty {
        guard !calls.isEmpty else { return }
        swap(&batch, &calls)
        batch.reverse()
      }
      switch batch.removeLast() {
      case .deliver(let listeners, let upstream): Self.call(listeners, of: upstream)
      case .cancel(let core): core.cancelNow()
      }
    }
  }

  // MARK: Chores, which nest only in nested calls

  func join(_ upstream: Upstream, registering core: _AsyncCore?) {
    add {
      upstream.join()
      if let core { upstream.register(core) }
    }
  }

  func leave(_ upstream: Upstream) {
    add { upstream.leave() }
  }

  func unregisterUnwanted(_ listeners: ListenerList, from core: _AsyncCore) {
    guard !listeners.isEmpty else { return }
    add {
      var listeners = listeners
      while let listener = listeners.popFirst() {
        if !listener.unregisterWhileUnwanted(from: core, in: nil) { core.register(listener, isCounted: false) }
      }
    }
  }

  func cancelUnwanted(_ core: _AsyncCore) {
    add { self.cancel(core) }
  }

  func abandon(_ listeners: ListenerList, _ origin: PromiseOrigin? = nil) {
    guard !listeners.isEmpty else { return }
    add {
      var listeners = listeners
      while let listener = listeners.popFirst() { listener.abandon(origin) }
    }
  }

  /// Releases an object, and the objects that only it retains, in constant stack space.
  func release(_ object: Unmanaged<AnyObject>) {
    add { object.release() }
  }

  func doWaitingWork() {
    repeat {
      doChores()
      makeWaitingCalls()
    } while nextChore < chores.count
  }

  private func add(_ chore: @escaping () -> Void) {
    chores.append(chore)
    if choreLevel != depth { doChores() }
  }

  /// A callback or handler that a chore calls has its own level.
  ///
  /// Its chores are done before it continues.
  private func doChores() {
    let outerLevel = choreLevel
    choreLevel = depth
    while nextChore < chores.count {
      let chore = chores[nextChore]
      chores[nextChore] = {}
      nextChore += 1
      chore()
      if nextChore > chores.count / 2 {
        chores.removeFirst(nextChore)
        nextChore = 0
      }
    }
    choreLevel = outerLevel
  }
}

/// Calls the callbacks that wait on this thread because too many are nested, and does the waiting chores.
///
/// A function that blocks the thread calls this before, because it may wait for one of them.
package func makeWaitingCalls() {
  Trampoline.current.doWaitingWork()
}
