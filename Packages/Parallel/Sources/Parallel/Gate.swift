internal import Synchronization

/// The entrance to a run: passes the first value of the user's work on, and reports any other.
///
/// A closure that captures only this object uses it as its context, so the user's callback costs no further allocation.
///
/// `@unchecked Sendable`: `next` belongs to the one caller that ``GateState/claim()`` returns `true` to.
@usableFromInline
final class Gate<Value>: GateState, @unchecked Sendable {
  @usableFromInline @exclusivity(unchecked) var next: Parallel<Value>.Callback?

  @inlinable
  init(_ next: @escaping Parallel<Value>.Callback, _ file: StaticString, _ line: UInt, _ reporter: Misuse.Reporter) {
    self.next = next
    super.init(file, line, reporter)
  }

  @inlinable
  deinit {
    if next != nil { Trampoline.release(&next) }
  }

  @inlinable
  func pass(_ value: sending Value) {
    guard claim(), let next else { return }
    self.next = nil
    Trampoline.pass(value, to: next)
  }
}

/// The part of a gate that does not depend on the type of its value.
///
/// `@unchecked Sendable`: all fields are constants or atomic.
@usableFromInline
class GateState: @unchecked Sendable {
  private let isPassed = Atomic(false)
  private let file: StaticString
  private let line: UInt
  private let reporter: Misuse.Reporter

  @usableFromInline
  init(_ file: StaticString, _ line: UInt, _ reporter: Misuse.Reporter) {
    self.file = file
    self.line = line
    self.reporter = reporter
  }

  /// Returns whether this is the first call, and reports any other.
  @usableFromInline
  final func claim() -> Bool {
    guard isPassed.exchange(true, ordering: .acquiringAndReleasing) else { return true }
    reporter.report(Misuse(kind: .calledBackTwice, file: file, line: line))
    return false
  }
}
