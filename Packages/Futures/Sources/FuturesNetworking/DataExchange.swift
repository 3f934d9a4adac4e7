internal import Foundation
internal import Futures
internal import Synchronization

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// One request under way, which ends once: with a response, an error, a time-out or a cancel.
///
/// It uses the session's completion handler. On Linux the session's own asynchronous functions can hang when their task
/// is cancelled, and its time-outs are in whole seconds of silence; so the deadline is kept here.
///
/// `@unchecked Sendable`: `state` decides who touches `task` and `alarm`, which are written before it becomes
/// `running`, and `complete`, which is taken by the one caller that makes it `ended`. `redirecting` guards `isStopped`,
/// which is also asked before the transfer begins.
final class DataExchange: @unchecked Sendable {
  typealias Outcome = Result<(Data, URLResponse), NetworkError>

  private enum State {
    static let new = 0
    static let running = 1
    static let ended = 2
  }

  private let request: URLRequest
  private let session: URLSession
  private let limit: Duration?
  /// Whether the transfer may be cancelled; see `isSafeToCancel`.
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

  /// Sends the request, unless it was cancelled before.
  func start<C: Clock<Duration>>(clock: C) {
    // Foundation ends the process when it is asked for nothing.
    guard request.url != nil else { return end(with: .failure(NetworkError(.badURL, request: request))) }
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
    // From here on whoever ends it takes `task` away.
    let isUnderWay =
      begun.exchanged
      && redirecting.withLock {
        if !isStopped { task.resume() }
        return !isStopped
      }
    guard !isUnderWay else { return }
    // What never begins is never heard of again.
    (session.delegate as? TransferGuard)?.remove(task)
    if !begun.exchanged { stop() }
  }

  func cancel() {
    end(with: .failure(NetworkError(.cancelled, request: request)))
  }

  /// Hears how the transfer ended.
  func receive(_ data: Data?, _ response: URLResponse?, _ error: (any Error)?) {
    guard let response, error == nil else { return end(with: .failure(NetworkError(error, request: request))) }
    end(with: .success((data ?? Data(), response)))
  }

  func endAsTooLarge(_ mostBytes: Int) {
    end(with: .failure(NetworkError(.tooLarge, request: request, mostBytes: mostBytes)))
  }

  /// Goes where a redirect leads, or ends with the answer that leads there.
  ///
  /// On Linux, Foundation ends the process when it hears of it for a transfer that was cancelled; so the two take
  /// turns.
  func redirect(to next: URLRequest, _ follow: (URLRequest?) -> Void) {
    redirecting.withLock { if !isStopped { follow(next.followed(from: request)) } }
  }

  /// Ends with the answer that asks for a name and a password, which nobody has.
  ///
  /// On Linux a request waits for ever otherwise, or ends as cancelled.
  func refuse(
    _ challenge: URLAuthenticationChallenge,
    _ answer: (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    #if canImport(FoundationNetworking)
      if let response = challenge.failureResponse { end(with: .success((Data(), response))) }
      // It cancels the transfer, too. Not answered, it is over and never heard of again.
      if isCancellable { answer(.rejectProtectionSpace, nil) }
    #else
      answer(.performDefaultHandling, nil)
    #endif
  }

  private func makeTask() -> URLSessionDataTask {
    if let transfers = session.delegate as? TransferGuard {
      let task = session.dataTask(with: patientRequest)
      transfers.add(self, for: task)
      return task
    }
    let task = session.dataTask(with: patientRequest) { self.receive($0, $1, $2) }
    // A delegate that somebody has written decides for itself.
    if session.delegate == nil { task.delegate = TaskGuard(self) }
    return task
  }

  private func end(with outcome: Outcome) {
    let previous = state.exchange(State.ended, ordering: .acquiringAndReleasing)
    guard previous != State.ended else { return }
    if previous == State.running { stop() }
    let complete = complete
    self.complete = nil
    complete?(outcome)
  }

  /// Lets go of the transfer and of the alarm, whichever of them is not what ended the exchange.
  private func stop() {
    redirecting.withLock {
      guard isCancellable else { return }
      isStopped = true
      task?.cancel()
    }
    alarm?.cancel()
    task = nil
    alarm = nil
  }

  /// The request with a week's patience, since the limit is kept here, on a clock that may be slower than the system's;
  /// with ten minutes' if nothing else can end the transfer.
  private var patientRequest: URLRequest {
    var request = request
    request.url = request.url?.withLowercaseScheme
    guard let limit else { return request }
    let patience: TimeInterval = isCancellable ? 7 * 86_400 : 600
    request.timeoutInterval = max(
      request.timeoutInterval, TimeInterval(limit.sleepable.components.seconds) + patience)
    return request
  }
}

extension URL {
  /// This URL with its scheme as Foundation on Linux knows it: to that `HTTP://` is none.
  fileprivate var withLowercaseScheme: URL {
    guard let scheme, scheme != scheme.lowercased() else { return self }
    var parts = URLComponents(url: self, resolvingAgainstBaseURL: true)
    parts?.scheme = scheme.lowercased()
    return parts?.url ?? self
  }
}

extension URLSession {
  /// Whether cancelling a transfer does no more than that.
  ///
  /// On Linux it ends the process when the session has a cache and the transfer looks into it, or its answer arrives,
  /// just then: "Trying to access a behaviour for a task that in not in the registry". Seen within a thousand requests
  /// that are cancelled at random times; without a cache not in a hundred thousand.
  fileprivate var isSafeToCancel: Bool {
    #if canImport(FoundationNetworking)
      configuration.urlCache == nil
    #else
      true
    #endif
  }
}
