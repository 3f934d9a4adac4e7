internal import Isolation
internal import Synchronization

/// An entry in the list of a future: a callback, a waiting task, or a link to another future.
///
/// `@unchecked Sendable`: the lock of the future that it listens to guards the fields.
@usableFromInline
class Listener: @unchecked Sendable {
  /// The index in the list, or `nil` if it is in no list.
  @exclusivity(unchecked) final fileprivate(set) var position: Int32?
  /// Whether it keeps the work of the future wanted, if it is positive.
  @exclusivity(unchecked) final var wants: Int32 = 1

  @usableFromInline
  init() {}

  /// Called once, without a lock, when the future is completed or can never be completed.
  func receive(from source: AnyFutureCore) {}
}

/// Listeners in the order of their registration; a removal takes constant time on average.
struct ListenerList {
  // Most futures have one listener, which then needs no array.
  private var first: Listener?
  private var others: [Listener?] = []
  private var count = 0

  var isEmpty: Bool { count == 0 }

  mutating func append(_ listener: Listener) {
    if count == 0 {
      (first, listener.position) = (listener, 0)
    } else {
      others.append(listener)
      listener.position = Int32(others.count)
    }
    count += 1
  }

  mutating func remove(_ listener: Listener) {
    guard let position = listener.position else { return }
    if position == 0 { first = nil } else { others[Int(position) - 1] = nil }
    listener.position = nil
    count -= 1
    if count == 0 || others.count > 2 * count + 8 { removeGaps() }
  }

  private mutating func removeGaps() {
    let all = others.compactMap(\.self)
    others = []
    if first != nil { count = 1 } else { count = 0 }
    for listener in all { append(listener) }
  }

  mutating func take() -> ListenerList {
    defer { self = ListenerList() }
    return self
  }

  /// Removes each listener before it passes it on, so that the listener is released before the next one is called.
  mutating func removeAll(_ body: (Listener) -> Void) {
    count = 0
    if let listener = first {
      first = nil
      body(listener)
    }
    for index in others.indices {
      guard let listener = others[index] else { continue }
      others[index] = nil
      body(listener)
    }
  }
}

/// A user's callback and its context.
@usableFromInline
final class Callback: Listener, @unchecked Sendable {
  // The reaction gets the source, not its value: a function with a parameter of a generic type is wrapped, which costs an
  // allocation.
  private var reaction: (@Sendable (AnyFutureCore) -> Void)?
  private var context: ExecutionContext?
  private var source: AnyFutureCore?
  private let hasRun = Atomic(false)

  @usableFromInline
  init(in context: @escaping ExecutionContext, _ reaction: @escaping @Sendable (AnyFutureCore) -> Void) {
    self.context = context
    self.reaction = reaction
  }

  override func receive(from source: AnyFutureCore) {
    guard source.hasResult, let context else { return }
    // A context that keeps its work would otherwise be a reference cycle.
    self.context = nil
    self.source = source
    context {
      // The context may run its work twice.
      guard !self.hasRun.exchange(true, ordering: .acquiringAndReleasing), let source = self.source else { return }
      self.source = nil
      self.reaction?(source)
      self.reaction = nil
    }
  }
}

/// The connection of a source to a future that waits for it, the target.
///
/// The source retains the link while the target waits, and the link retains both. The target retains the link until its source has
/// delivered.
final class Link: Listener, @unchecked Sendable {
  typealias Step = @Sendable (AnyFutureCore, AnyFutureCore) -> Void

  let source: AnyFutureCore
  /// `nil` while everyone has left the target.
  @exclusivity(unchecked) var target: AnyFutureCore?
  /// Whether the target has listeners, if it is positive.
  @exclusivity(unchecked) var holds: Int32 = 1
  /// Whether the source knows the link; the target may be cancelled or left before.
  @exclusivity(unchecked) var isRegistered = false
  /// Whether the source has delivered, or the target does not wait any more.
  @exclusivity(unchecked) var isClosed = false
  /// Whether a link that is closed before its registration counts as a departure.
  @exclusivity(unchecked) var stopsSource = true
  private let isNeededWhileHeld: Bool
  private let includesAbandoned: Bool
  /// The index in the links of the target, guarded by its lock.
  @exclusivity(unchecked) fileprivate(set) var slot = 0
  private var step: Step?
  private var context: ExecutionContext?
  private let hasRun = Atomic(false)

  init(
    from source: AnyFutureCore, to target: AnyFutureCore, in context: @escaping ExecutionContext,
    isNeededWhileHeld: Bool,
    includesAbandoned: Bool, step: @escaping Step
  ) {
    self.source = source
    self.target = target
    self.context = context
    self.isNeededWhileHeld = isNeededWhileHeld
    self.includesAbandoned = includesAbandoned
    self.step = step
  }

  deinit {
    end()
  }

  /// Whether it keeps the work of the source wanted.
  var isWanting: Bool { isNeededWhileHeld ? holds > 0 : wants > 0 }

  override func receive(from source: AnyFutureCore) {
    guard let target = source.claim(self) else { return }
    target.remove(self)
    guard source.hasResult || includesAbandoned, let context else { return end() }
    self.context = nil
    context { self.run() }
  }

  private func run() {
    guard !hasRun.exchange(true, ordering: .acquiringAndReleasing) else { return }
    if let target, let step, target.isOpen { step(source, target) }
    step = nil
    end()
  }

  /// Reports to the target that this link has nothing more to deliver; a context that drops its work releases the link instead.
  private func end() {
    guard let target else { return }
    self.target = nil
    if !target.hasResult { target.completerHasEnded(source.origin) }
  }
}

/// Lets a target wait for a source: calls a step once, in a context, when the source is completed.
///
/// - Parameters:
///   - isNeededWhileHeld: Whether a target that was cancelled still needs the source while it has listeners, such as the timer of a
///     timeout.
///   - includesAbandoned: Whether the step is also called for a source that can never be completed.
///   - step: A function that completes the target, or lets it wait for another source; not called if the target has a result already.
@usableFromInline
func link<Source: AnyFutureCore, Target: AnyFutureCore>(
  _ source: Source, to target: Target, in context: @escaping ExecutionContext = immediateExecutionContext,
  isNeededWhileHeld: Bool = false, includesAbandoned: Bool = false, step: @escaping @Sendable (Source, Target) -> Void
) {
  // Cast inside of structs, because a closure that is passed as a generic argument is wrapped, which costs an allocation.
  let step = unsafeBitCast(TypedStep(call: step), to: UntypedStep.self).call
  target.wait(
    with: Link(
      from: source, to: target, in: context, isNeededWhileHeld: isNeededWhileHeld, includesAbandoned: includesAbandoned,
      step: step))
}

private struct TypedStep<Source: AnyFutureCore, Target: AnyFutureCore> {
  let call: @Sendable (Source, Target) -> Void
}

private struct UntypedStep {
  let call: Link.Step
}

/// The links to the sources of a future, in any order.
struct Links {
  // Most futures have one source, which then needs no array.
  private var first: Link?
  private var others: [Link] = []

  var isEmpty: Bool { first == nil && others.isEmpty }

  mutating func insert(_ link: Link) {
    if first == nil {
      (first, link.slot) = (link, 0)
    } else {
      others.append(link)
      link.slot = others.count
    }
  }

  mutating func remove(_ link: Link) {
    if first === link { return first = nil }
    let index = link.slot - 1
    guard others.indices.contains(index), others[index] === link else { return }
    others.swapAt(index, others.count - 1)
    others[index].slot = link.slot
    others.removeLast()
  }

  mutating func take() -> Links {
    defer { self = Links() }
    return self
  }

  func forEach(_ body: (Link) -> Void) {
    if let first { body(first) }
    others.forEach(body)
  }
}
