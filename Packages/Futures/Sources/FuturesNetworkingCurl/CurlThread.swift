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
    var started: [CurlExchange] = []
    var cancelled: [CurlExchange] = []
    var commands: [(CurlStream, CurlStream.Command)] = []
    var isClosed = false
    var isRunning = false
    var thread: pthread_t?
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
  /// The exchanges that wait, the next one at `firstWaiting`.
  private var waiting: [CurlExchange] = []
  private var firstWaiting = 0
  /// Handles for reuse, at most 64.
  private var idle: [UnsafeMutableRawPointer] = []
  /// No time limit ends before this instant.
  private var nextDeadline: ContinuousClock.Instant?

  init(_ configuration: CurlConfiguration) {
    self.configuration = configuration
    _ = isCurlReady
    multi = curl_multi_init()
    canWakeUp = curl_multi_wakeup(multi) == CURLM_OK
  }

  // MARK: From any thread

  func start(_ exchange: CurlExchange) { post { $0.started.append(exchange) } }

  func cancel(_ exchange: CurlExchange) { post { $0.cancelled.append(exchange) } }

  func perform(_ command: CurlStream.Command, on stream: CurlStream) { post { $0.commands.append((stream, command)) } }

  private func post(_ change: (inout Inbox) -> Void) {
    let (isFirst, isOwn) = lock.withLock {
      change(&inbox)
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
    for easy in idle { curl_easy_cleanup(easy) }
    curl_multi_cleanup(multi)
  }

  private func receive() -> Bool {
    hasPosted = false
    let news = lock.withLock {
      defer { (inbox.started, inbox.cancelled, inbox.commands) = ([], [], []) }
      return inbox
    }
    waiting += news.started
    for exchange in news.started { note(exchange.deadline) }
    for exchange in news.cancelled { fail(exchange, exchange.failure(.cancelled)) }
    for (stream, command) in news.commands {
      switch command {
      case .open: open(stream)
      case .send(let bytes): if !stream.isEnded { stream.send(bytes) }
      case .close: stream.close()
      }
    }
    releaseStreams()
    return !news.isClosed || !running.isEmpty || !streams.isEmpty || firstWaiting < waiting.count
  }

  private func open(_ stream: CurlStream) {
    if let error = stream.invalidAddress { return stream.end(error) }
    guard multi != nil, let easy = idle.popLast() ?? curl_easy_init() else {
      return stream.end(stream.error(.other, "libcurl has no memory"))
    }
    stream.begin(with: easy, configuration)
    streams[easy] = stream
    let code = curl_multi_add_handle(multi, easy)
    if code != CURLM_OK { stream.end(stream.error(.other, String(cString: curl_multi_strerror(code)))) }
  }

  private func releaseStreams() {
    for stream in streams.values where stream.isEnded {
      guard let easy = stream.releaseHandle() else { continue }
      streams[easy] = nil
      // This also closes the connection, because only this handle can use it.
      curl_multi_remove_handle(multi, easy)
      curl_easy_cleanup(easy)
    }
  }

  private func startWaiting() {
    while running.count < max(1, configuration.maxConcurrentRequests), firstWaiting < waiting.count {
      let exchange = waiting[firstWaiting]
      firstWaiting += 1
      if !exchange.isEnded { perform(exchange) }
    }
    if firstWaiting == waiting.count {
      waiting.removeAll(keepingCapacity: true)
      firstWaiting = 0
    }
  }

  private func perform(_ exchange: CurlExchange) {
    guard multi != nil, let easy = idle.popLast() ?? curl_easy_init() else {
      return fail(exchange, exchange.failure(.other, reason: "libcurl has no memory"))
    }
    exchange.begin(with: easy, configuration)
    running[easy] = exchange
    note(exchange.deadline)
    let code = curl_multi_add_handle(multi, easy)
    if code != CURLM_OK { fail(exchange, exchange.failure(.other, reason: String(cString: curl_multi_strerror(code)))) }
  }

  private func end(_ easy: UnsafeMutableRawPointer, _ code: CURLcode) {
    guard let exchange = running[easy] else { return }
    let result = exchange.result(of: code)
    release(exchange)
    switch result {
    case .success(nil): perform(exchange)
    case .success(let response?): complete(exchange, .success(response))
    case .failure(let error): complete(exchange, .failure(error))
    }
  }

  private func endLate() {
    guard let next = nextDeadline, ContinuousClock.now >= next else { return }
    nextDeadline = nil
    let now = ContinuousClock.now
    for exchange in Array(running.values) + waiting[firstWaiting...] where !exchange.isEnded {
      if let deadline = exchange.deadline, deadline <= now {
        fail(exchange, exchange.failure(.timedOut))
      } else {
        note(exchange.deadline)
      }
    }
  }

  private func note(_ deadline: ContinuousClock.Instant?) {
    guard let deadline else { return }
    nextDeadline = min(nextDeadline ?? deadline, deadline)
  }

  private var timeout: Int32 {
    if streams.values.contains(where: \.hasUnreadBytes) { return 0 }
    let limit: Int32 = canWakeUp ? .max : 20
    guard let nextDeadline else { return limit }
    return min(limit, Int32(clamping: milliseconds(ContinuousClock.now.duration(to: nextDeadline))))
  }

  private func fail(_ exchange: CurlExchange, _ error: NetworkError) {
    guard !exchange.isEnded else { return }
    release(exchange)
    complete(exchange, .failure(error))
  }

  private func complete(_ exchange: CurlExchange, _ result: Result<HTTPResponseHead, NetworkError>) {
    exchange.end()?(result)
  }

  private func release(_ exchange: CurlExchange) {
    guard let easy = exchange.releaseHandle() else { return }
    curl_multi_remove_handle(multi, easy)
    exchange.releaseMemory()
    running[easy] = nil
    guard idle.count < 64 else { return curl_easy_cleanup(easy) }
    curl_easy_reset(easy)
    idle.append(easy)
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

/// Returns a time in whole milliseconds, rounded up, and at least 1.
func milliseconds(_ duration: Duration) -> Int {
  // The components of a very long duration trap.
  let (seconds, attoseconds) = duration.sleepable.components
  return max(1, Int(clamping: seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000))
}
