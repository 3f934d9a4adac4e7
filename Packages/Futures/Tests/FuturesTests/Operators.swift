import Futures
import ParallelTesting
import TestSupport
import Testing

/// The operators that wait for other futures, with the position of the source where there are several.
enum Operator: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case map, tryMap, flatMap, flatMapInner, flatMapResult, mapError, promoteError, recover, recoverWith, recoverWithInner
  case filter, andThen, asVoid, flatten, flattenAsync, defaultValue, defaultFuture, defaultInner
  case zip, zipSecond, variadicZip, zipFailingFast, sequence, sequenceFailingFast, fold, find
  case traverse, boundedTraverse, firstCompleted, firstSuccess
  case delay, timeout, retry, retryOfMap, conversion, completeWith
  var testDescription: String { rawValue }

  /// Derives a future from a source.
  ///
  /// - Parameter calls: Logs the functions that run after the source is completed.
  func derive<E: SampleError>(
    _ source: Future<Int, E>, in context: @escaping ExecutionContext = now, on clock: ManualClock = ManualClock(),
    _ calls: Log<String> = Log()
  ) -> Derived {
    @Sendable func call<Value>(_ value: Value) -> Value {
      calls.append(rawValue)
      return value
    }
    let (one, failed, other) = (Future<Int, E>(value: 1), Future<Int, E>(error: .sample), Promise<Int, E>())
    switch self {
    case .map: return Derived(source.map(context) { call($0) })
    case .tryMap: return Derived(source.tryMap(context) { call($0) })
    case .flatMap: return Derived(source.flatMap(context) { Future(value: call($0)) })
    case .flatMapInner: return Derived(one.flatMap(now) { _ in source }.map(context) { call($0) })
    case .flatMapResult: return Derived(source.flatMapResult(context) { .success(call($0)) })
    case .mapError: return Derived(source.mapError(context) { call($0) })
    case .promoteError: return Derived(source.promoteError().map(context) { call($0) })
    case .recover: return Derived(source.recover(context) { _ in call(0) })
    case .recoverWith: return Derived(source.recoverWith(context) { _ in Future<Int, E>(value: call(0)) })
    case .recoverWithInner: return Derived(failed.recoverWith(now) { _ in source })
    case .filter: return Derived(source.filter(context) { call($0) == 0 })
    case .andThen: return Derived(source.andThen(context) { _ in _ = call(0) })
    case .asVoid: return Derived(source.asVoid().map(context) { call($0) })
    case .flatten: return Derived(Future(value: source).flatten().andThen(context) { _ in _ = call(0) })
    case .flattenAsync: return Derived(Future(other: Async(result: source).flatten()))
    case .defaultValue: return Derived(source ?? call(0))
    case .defaultFuture: return Derived(source ?? Future<Int, E>(value: call(0)))
    case .defaultInner: return Derived(failed ?? source)
    case .zip: return Derived(source.zip(one).map(context) { call($0) })
    case .zipSecond: return Derived(one.zip(source).map(context) { call($0) })
    case .variadicZip: return Derived(Futures.zip(one, source, one).map(context) { call($0) })
    case .zipFailingFast: return Derived(Futures.zipFailingFast(one, source).map(context) { call($0) })
    case .sequence: return Derived([one, source].sequence().map(context) { call($0) })
    case .sequenceFailingFast: return Derived([one, source].sequenceFailingFast().map(context) { call($0) })
    case .fold: return Derived([one, source].fold(context, zero: 0) { call($0 + $1) })
    case .find: return Derived([one, source].find(context) { call($0) == 9 })
    case .traverse: return Derived([1].traverse(now) { _ in source }.map(context) { call($0) })
    case .boundedTraverse: return Derived([1].traverse(now, maxConcurrent: 4) { _ in source }.map(context) { call($0) })
    case .firstCompleted: return Derived([other.future, source].firstCompleted(), keeping: other)
    case .firstSuccess: return Derived([other.future, source].firstSuccess(), keeping: other)
    case .delay: return Derived(source.delay(for: .seconds(9), on: clock))
    case .timeout: return Derived(source.timeout(after: .seconds(9), on: clock, failingWith: call(.sample)))
    case .retry: return Derived(Futures.retry(policy()) { ($0 > 1 ? call($0) : $0, source).1 })
    case .retryOfMap: return Derived(Futures.retry(policy()) { _ in source.map(context) { call($0) } })
    case .conversion: return Derived(Future(other: source))
    case .completeWith:
      let promise = Promise<Int, E>()
      promise.complete(with: source)
      return Derived(promise.future)
    }
  }

  /// Whether the derived future cannot fail, so that it has no cancellation value.
  var neverFails: Bool { self == .recover || self == .defaultValue }

  private func policy<E>() -> RetryPolicy<E> { RetryPolicy(attempts: 3, backoff: .none) }
}

/// A derived future of any type.
struct Derived: Sendable {
  let cancel: @Sendable () -> Void
  /// Registers a listener, which then leaves.
  let leave: @Sendable () -> Void
  let listen: @Sendable () -> Void
  private let hasResult: @Sendable () -> Bool

  init<T, E>(_ future: Future<T, E>, keeping other: (any Sendable)? = nil) {
    cancel = { withExtendedLifetime(other) { future.cancel() } }
    leave = { future.map(now) { _ in 0 }.cancel() }
    listen = { future.onComplete(now) { _ in } }
    hasResult = { future.isCompleted }
  }

  var isCompleted: Bool { hasResult() }
}

protocol SampleError: Error, Equatable {
  static var sample: Self { get }
}

extension StoppableError: SampleError {
  static var sample: StoppableError { .failed }
}

extension TestError: SampleError {
  static var sample: TestError { .first }
}
