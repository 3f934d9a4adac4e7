public import Synchronization

/// The callback of a run: passes the first value of the user's work on, and reports any other.
///
/// A closure that captures only this object uses it as its context, so the user's callback costs no further allocation.
///
/// `@unchecked Sendable`: `next` belongs to the one caller that changes `isPassed`. The other fields are constants.
@usableFromInline
final class OnceCallback<Value>: @unchecked Sendable {
  @usableFromInline let isPassed = Atomic(false)
  @usableFromInline @exclusivity(unchecked) var next: Parallel<Value>.Callback?
  @usableFromInline let file: StaticString
  @usableFromInline let line: UInt
  @usableFromInline let reporter: Misuse.Reporter

  @inlinable
  init(_ next: @escaping Parallel<Value>.Callback, _ file: StaticString, _ line: UInt, _ reporter: Misuse.Reporter) {
    self.next = next
    self.file = file
    self.line = line
    self.reporter = reporter
  }

  @inlinable
  deinit {
    if next != nil { Trampoline.release(&next) }
  }

  @inlinable
  func pass(_ value: sending Value) {
    guard !isPassed.exchange(true, ordering: .acquiringAndReleasing), let next else { return reportSecondCallback() }
    self.next = nil
    Trampoline.pass(value, to: next)
  }

  @usableFromInline
  func reportSecondCallback() {
    reporter.report(Misuse(file: file, line: line))
  }
}
