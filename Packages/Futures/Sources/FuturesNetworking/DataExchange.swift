internal import Dispatch
internal import Foundation
internal import Futures
internal import Synchronization

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Uses the session's completion handler.
///
/// On Linux the session's own asynchronous functions can hang when their task is cancelled, and its timeouts count
/// whole seconds without a byte. So this type keeps the deadline.
///
/// `@unchecked Sendable`: `task` and `alarm` are written before `state` becomes `running`. Only the caller that changes
/// it to `ended` uses them and `complete`. `redirecting` guards `isStopped`.
final class DataExchange: @unchecked Sendable {
  typealias Outcome = Result<(Data, HTTPURLResponse), NetworkError>

  private enum State {
    static let new = 0
    static let running = 1
    static let ended = 2
  }

  private let request: URLRequest
  private let session: URLSession
  private let limit: Duration?
  /// Whether cancelling the transfer is safe; see `isSafeToCancel`.
  private let isCancellable: Bool
  private var complete: (@Sendable (Outcome) -> Void)?
  private let state = Atomic(State.new)
  private var task: URLSessionDataTask?
  private var alarm: Task<Void, Never>?
  private let redirecting = NSLock()
  private var isStopped = false

  init(
    _ request: URLRequest, in session: URLSession, limit: Duration?, _ complete: @escaping @Sendable (Outcome) -> Void
  ) {
    self.request = request
    self.session = session
    self.limit = limit
    self.complete = complete
    isCancellable = session.isSafeToCancel
  }

  func start<C: Clock<Duration>>(clock: C) {
    if let error = unsendable(request) { return end(with: .failure(error)) }
    let task = makeTask()
    self.task = task
    alarm = limit.map { limit in
      let deadline = clock.now.advanced(by: limit.sleepable)
      return Task {
        guard (try? await clock.sleep(until: deadline, tolerance: nil)) != nil else { return }
        self.end(with: .failure(NetworkError(.timedOut, request: self.request, limit: limit)))
      }
    }
    let begun = state.compareExchange(
      expected: State.new, desired: State.running, successOrdering: .releasing, failureOrdering: .acquiring)
    // From here on the caller that ends the exchange owns `task`.
    let isUnderWay =
      begun.exchanged
      && redirecting.withLock {
        if !isStopped { task.resume() }
        return !isStopped
      }
    guard !isUnderWay else { return }
    // A task that never starts never completes.
    (session.delegate as? TransferGuard)?.remove(task)
    if !begun.exchanged { stop() }
  }

  func cancel() {
    end(with: .failure(NetworkError(.cancelled, request: request)))
  }

  func receive(_ data: Data?, _ response: URLResponse?, _ error: (any Error)?) {
    guard let response = response as? HTTPURLResponse, error == nil else {
      return end(with: .failure(NetworkError(error, request: request)), hasFinished: true)
    }
    end(with: .success((data ?? Data(), response)), hasFinished: true)
  }

  func endAsTooLarge(_ byteLimit: Int) {
    end(with: .failure(NetworkError(.tooLarge, request: request, byteLimit: byteLimit)))
  }

  /// On Linux, Foundation ends the process if a cancelled transfer follows a redirect.
  ///
  /// So a lock separates the two.
  func redirect(to next: URLRequest, _ follow: (URLRequest?) -> Void) {
    redirecting.withLock { if !isStopped { follow(next.followed(from: request)) } }
  }

  /// Ends with the response that requests a user name and a password.
  ///
  /// Otherwise, on Linux, the request would stay in flight for ever or end as cancelled.
  func refuse(
    _ challenge: URLAuthenticationChallenge, for task: URLSessionTask,
    _ answer: (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    #if canImport(FoundationNetworking)
      // Foundation drops a task whose challenge is not answered, and never completes it.
      if !isCancellable { (session.delegate as? TransferGuard)?.remove(task) }
      if let response = challenge.failureResponse as? HTTPURLResponse { end(with: .success((Data(), response))) }
      // This also cancels the transfer.
      if isCancellable { answer(.rejectProtectionSpace, nil) }
    #else
      answer(.performDefaultHandling, nil)
    #endif
  }

  private func makeTask() -> URLSessionDataTask {
    if let transfers = session.delegate as? TransferGuard {
      let task = session.dataTask(with: longRequest)
      transfers.add(self, for: task)
      return task
    }
    let task = session.dataTask(with: longRequest) { self.receive($0, $1, $2) }
    // The user's own delegate decides for itself.
    if session.delegate == nil { task.delegate = TaskGuard(self) }
    return task
  }

  /// - Parameter hasFinished: Whether the transfer has finished, so that it need not be cancelled.
  private func end(with outcome: Outcome, hasFinished: Bool = false) {
    let previous = state.exchange(State.ended, ordering: .acquiringAndReleasing)
    guard previous != State.ended else { return }
    if previous == State.running { stop(hasFinished: hasFinished) }
    let complete = complete
    self.complete = nil
    complete?(outcome)
  }

  private func stop(hasFinished: Bool = false) {
    alarm?.cancel()
    alarm = nil
    let task = task
    self.task = nil
    guard isCancellable, !hasFinished else { return }
    Self.cancellations.async {
      self.redirecting.withLock {
        self.isStopped = true
        task?.cancel()
      }
    }
  }

  /// The queue that cancels transfers.
  ///
  /// On Linux, cancelling waits for the queue that all sessions share, which can be busy for seconds. The caller and
  /// the completion do not wait for it.
  private static let cancellations = DispatchQueue(label: "FuturesNetworking.cancellations")

  /// The request with a timeout of a week beyond the limit, because this type keeps the limit, perhaps on a slower
  /// clock.
  ///
  /// If the transfer cannot be cancelled, the timeout is ten minutes beyond the limit.
  private var longRequest: URLRequest {
    var request = request
    request.url = request.url?.withLowercaseScheme
    guard let limit else { return request }
    let extra: TimeInterval = isCancellable ? 7 * 86_400 : 600
    request.timeoutInterval = max(
      request.timeoutInterval, TimeInterval(limit.sleepable.components.seconds) + extra)
    return request
  }
}

extension URL {
  /// This URL with a lowercase scheme, because Foundation on Linux does not support `HTTP://`.
  fileprivate var withLowercaseScheme: URL {
    guard let scheme, scheme != scheme.lowercased() else { return self }
    var parts = URLComponents(url: self, resolvingAgainstBaseURL: true)
    parts?.scheme = scheme.lowercased()
    return parts?.url ?? self
  }
}

extension URLSession {
  /// Whether cancelling a transfer never ends the process.
  ///
  /// On Linux, with a cache, cancelling can end the process while the transfer reads the cache or receives its
  /// response: "Trying to access a behaviour for a task that in not in the registry". This happened within a thousand
  /// requests that were cancelled at random times, and never in a hundred thousand without a cache.
  fileprivate var isSafeToCancel: Bool {
    #if canImport(FoundationNetworking)
      configuration.urlCache == nil
    #else
      true
    #endif
  }
}
