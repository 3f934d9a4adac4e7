internal import CCurl
internal import Foundation
internal import Futures
internal import FuturesNetworking

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// `@unchecked Sendable`: `lock` guards `inbox`.
///
/// Only the thread uses the other variables, and `multi` except for wake-ups.
final class CurlThread: @unchecked Sendable {
  private struct Inbox {
    var work: [@Sendable (CurlThread) -> Void] = []
    var isClosed = false
    var isRunning = false
    var thread: pthread_t?
  }

  private struct Host {
    /// The number of exchanges that run or wait for their start.
    var placesTaken = 0
    /// The exchanges that wait for a place.
    var queue: [CurlExchange] = []
  }

  private let configuration: CurlConfiguration
  private let multi: UnsafeMutableRawPointer?
  /// `false` if no descriptor was free.
  ///
  /// Then the thread looks at its inbox every 20 milliseconds.
  private let canWakeUp: Bool
  private let lock = NSLock()
  private var inbox = Inbox()

  /// Whether a callback of the thread has changed the inbox, so that the thread must not wait.
  private var hasPosted = false
  private var running: [UnsafeMutableRawPointer: CurlExchange] = [:]
  private var streams: [UnsafeMutableRawPointer: CurlStream] = [:]
  /// The exchanges that wait for their start.
  ///
  /// Each has one of the places of its host.
  private var waiting: [CurlExchange] = []
  private var hosts: [Origin: Host] = [:]
  /// No time limit ends before this instant.
  private var nextDeadline: ContinuousClock.Instant?

  init(_ configuration: CurlConfiguration) {
    self.configuration = configuration
    _ = isCurlReady
    multi = curl_multi_init()
    canWakeUp = curl_multi_wakeup(multi) == CURLM_OK
  }

  // MARK: From any thread

  /// Performs work on the thread, after all earlier work.
  func post(_ work: @escaping @Sendable (CurlThread) -> Void) {
    let (isFirst, isOwn) = lock.withLock {
      inbox.work.append(work)
      defer { inbox.isRunning = true }
      return (!inbox.isRunning, inbox.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false)
    }
    if isOwn {
      hasPosted = true
      return
    }
    guard isFirst else { return wakeUp() }
    let thread = Thread { self.run() }
    thread.name = "curl"
    thread.start()
  }

  func close() {
    lock.withLock {
      inbox.isClosed = true
      // With the lock, so that the thread does not free `multi` before.
      if inbox.isRunning { wakeUp() } else { curl_multi_cleanup(multi) }
    }
  }

  private func wakeUp() { curl_multi_wakeup(multi) }

  // MARK: On the thread

  private func run() {
    lock.withLock { inbox.thread = pthread_self() }
    while receive() {
      startWaiting()
      var count: Int32 = 0
      curl_multi_perform(multi, &count)
      while let message = curl_multi_info_read(multi, &count) {
        guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle else { continue }
        if let stream = streams[easy] { stream.connect(message.pointee.data.result) }
        end(easy, message.pointee.data.result)
      }
      endLate()
      startWaiting()
      for stream in streams.values { stream.move() }
      releaseStreams()
      if hasPosted { continue }
      var waits = streams.values.compactMap(\.wait)
      curl_multi_poll(
        multi, &waits, UInt32(waits.count), timeout, nil)
    }
    curl_multi_cleanup(multi)
  }

  /// Performs the posted work, and returns whether the thread continues.
  private func receive() -> Bool {
    hasPosted = false
    let (work, isClosed) = lock.withLock {
      defer { inbox.work = [] }
      return (inbox.work, inbox.isClosed)
    }
    for perform in work { perform(self) }
    releaseStreams()
    return !isClosed || !running.isEmpty || !streams.isEmpty || !waiting.isEmpty
  }

  private var timeout: Int32 {
    if streams.values.contains(where: \.hasUnreadBytes) { return 0 }
    let limit: Int32 = canWakeUp ? .max : 20
    guard let nextDeadline else { return limit }
    return min(limit, Int32(milliseconds(ContinuousClock.now.duration(to: nextDeadline))))
  }

  // MARK: Streams

  func open(_ stream: CurlStream) {
    if let error = stream.invalidAddress { return stream.end(error) }
    guard multi != nil, let handle = CurlHandle() else {
      return stream.end(stream.error(.other, "libcurl has no memory"))
    }
    stream.begin(with: handle, configuration)
    streams[handle.easy] = stream
    let code = curl_multi_add_handle(multi, handle.easy)
    if code != CURLM_OK { stream.end(stream.error(.other, String(cString: curl_multi_strerror(code)))) }
  }

  private func releaseStreams() {
    for (easy, stream) in streams where stream.isEnded {
      streams[easy] = nil
      // This also closes the connection, because only this handle can use it.
      curl_multi_remove_handle(multi, easy)
      stream.handle = nil
    }
  }

  // MARK: Exchanges

  func start(_ exchange: CurlExchange) {
    note(exchange.deadline)
    let origin = exchange.origin
    if hosts[origin, default: Host()].placesTaken < max(1, configuration.maxConcurrentRequestsPerHost) {
      hosts[origin, default: Host()].placesTaken += 1
      waiting.append(exchange)
    } else {
      hosts[origin]?.queue.append(exchange)
    }
  }

  /// Gives the place of an exchange at its host to the next one.
  private func freePlace(of exchange: CurlExchange) {
    let origin = exchange.origin
    while hosts[origin]?.queue.isEmpty == false {
      guard let next = hosts[origin]?.queue.removeFirst(), !next.isEnded else { continue }
      return waiting.append(next)
    }
    hosts[origin]?.placesTaken -= 1
    if hosts[origin]?.placesTaken == 0 { hosts[origin] = nil }
  }

  private func startWaiting() {
    while running.count < max(1, configuration.maxConcurrentRequests), !waiting.isEmpty {
      let exchange = waiting.removeFirst()
      if exchange.isEnded { freePlace(of: exchange) } else { perform(exchange) }
    }
  }

  private func perform(_ exchange: CurlExchange) {
    guard multi != nil, let handle = CurlHandle() else {
      return end(exchange, .failure(exchange.failure(.other, reason: "libcurl has no memory")))
    }
    exchange.begin(with: handle, configuration)
    running[handle.easy] = exchange
    note(exchange.deadline)
    let code = curl_multi_add_handle(multi, handle.easy)
    guard code != CURLM_OK else { return }
    release(exchange)
    end(exchange, .failure(exchange.failure(.other, reason: String(cString: curl_multi_strerror(code)))))
  }

  private func end(_ easy: UnsafeMutableRawPointer, _ code: CURLcode) {
    guard let exchange = running[easy] else { return }
    let result = exchange.result(of: code)
    release(exchange)
    switch result {
    case .success(nil): perform(exchange)
    case .success(let response?): end(exchange, .success(response))
    case .failure(let error): end(exchange, .failure(error))
    }
  }

  private func endLate() {
    guard let next = nextDeadline, ContinuousClock.now >= next else { return }
    nextDeadline = nil
    let now = ContinuousClock.now
    for exchange in Array(running.values) + waiting + hosts.values.flatMap(\.queue) where !exchange.isEnded {
      if let deadline = exchange.deadline, deadline <= now {
        stop(exchange, exchange.failure(.timedOut))
      } else {
        note(exchange.deadline)
      }
    }
  }

  private func note(_ deadline: ContinuousClock.Instant?) {
    guard let deadline else { return }
    nextDeadline = min(nextDeadline ?? deadline, deadline)
  }

  /// Ends an exchange that runs or waits.
  func stop(_ exchange: CurlExchange, _ error: NetworkError) {
    guard !exchange.isEnded else { return }
    // A waiting exchange gives its place back when its turn comes.
    guard release(exchange) else { return exchange.end(with: .failure(error)) }
    end(exchange, .failure(error))
  }

  private func end(_ exchange: CurlExchange, _ result: Result<HTTPResponseHead, NetworkError>) {
    freePlace(of: exchange)
    exchange.end(with: result)
  }

  /// Removes the handle of an exchange, and returns whether it had one.
  ///
  /// Handles are not reused: libcurl 7.88 would use freed memory if the next header began with a folded line.
  @discardableResult
  private func release(_ exchange: CurlExchange) -> Bool {
    guard let easy = exchange.handle?.easy else { return false }
    curl_multi_remove_handle(multi, easy)
    running[easy] = nil
    exchange.handle = nil
    return true
  }
}

/// Whether libcurl is initialised, which must happen once.
private let isCurlReady: Bool = {
  keepOpenSSLUntilExit()
  return curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
}()

/// Prevents OpenSSL from releasing its memory when the process exits.
///
/// Otherwise, a thread of this module that closes a connection at that moment would use the released memory. libcurl links OpenSSL
/// on Linux, so the function is looked up at run time.
private func keepOpenSSLUntilExit() {
  typealias Initialise = @convention(c) (_ options: UInt64, _ settings: UnsafeRawPointer?) -> CInt
  guard let program = dlopen(nil, RTLD_NOW), let function = dlsym(program, "OPENSSL_init_crypto") else { return }
  // OPENSSL_INIT_NO_ATEXIT
  _ = unsafeBitCast(function, to: Initialise.self)(0x0008_0000, nil)
}
