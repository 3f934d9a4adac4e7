internal import Isolation
internal import Synchronization

/// What waits for the value of one run, whatever the value's type.
///
/// `@unchecked Sendable`: `isAnswered` decides which one caller goes on; `origin` is written before the work that could
/// call back gets hold of the receiver; `below` belongs to the stack that the receiver was pushed on.
class AnyReceiver: @unchecked Sendable {
  private let isAnswered = Atomic(false)
  fileprivate final var origin: Origin?

  /// The place of the value among those that arrive together, from 0; see `Gathering`.
  final let position: UInt32

  /// The receiver pushed before this one; see `ArrivalStack`.
  final var below: Unmanaged<AnyReceiver>?

  init(position: UInt32 = 0) {
    self.position = position
  }

  /// Whether this call is the first; any later one is reported.
  fileprivate final func claim() -> Bool {
    guard isAnswered.exchange(true, ordering: .acquiringAndReleasing) else { return true }
    origin?.report(.calledBackTwice)
    return false
  }
}

/// What waits for the value of one run: it takes the first value, and tells of any other.
///
/// The stages of a run are receivers of each other's values, so a stage costs one allocation. A closure that captures
/// nothing but a receiver uses it as its context, so handing one out as a callback costs none.
///
/// `@unchecked Sendable`: only the caller that `claim` lets through touches what a subclass holds.
class Receiver<Value>: AnyReceiver, @unchecked Sendable {
  /// Takes the value of the run.
  ///
  /// Subclasses override it; it is called at most once.
  func receive(_ value: sending Value) {}

  /// Passes the first value on, and reports any other.
  final func deliver(_ value: sending Value) {
    if claim() { receive(value) }
  }

  /// The receiver as the callback of work that was written at `origin`.
  final func callback(from origin: Origin) -> Parallel<Value>.Callback {
    self.origin = origin
    return { self.deliver($0) }
  }
}

/// The end of a run: calls a closure with the value.
final class ClosureReceiver<Value>: Receiver<Value>, @unchecked Sendable {
  private let closure: @Sendable (sending Value) -> Void

  init(_ closure: @escaping @Sendable (sending Value) -> Void) {
    self.closure = closure
  }

  override func receive(_ value: sending Value) {
    closure(value)
  }
}

/// The end of a run that belongs on an actor: calls a closure there.
final class IsolatedReceiver<Value>: Receiver<Value>, @unchecked Sendable {
  private let home: any Actor
  private let closure: @Sendable (sending Value) -> Void

  init(on home: any Actor, _ closure: @escaping @Sendable (sending Value) -> Void) {
    self.home = home
    self.closure = closure
  }

  override func receive(_ value: sending Value) {
    let parcel = Parcel(value)
    Isolation.run(on: home) { [closure] in closure(parcel.take()) }
  }
}

/// Where a piece of work was written, and whom to tell when it is misused.
final class Origin: Sendable {
  private let file: StaticString
  private let line: UInt
  private let reporter: Misuse.Reporter

  init(file: StaticString, line: UInt, reporter: Misuse.Reporter) {
    self.file = file
    self.line = line
    self.reporter = reporter
  }

  func report(_ kind: Misuse.Kind) {
    reporter.report(Misuse(kind: kind, file: file, line: line))
  }
}
