internal import CPostgres
internal import Foundation
internal import OrderTaking

/// The columns of a row as texts.
typealias Row = [String?]

/// A connection whose calls block; one thread uses it.
final class PostgresConnection {
  private let configuration: PostgresConfiguration
  private var handle: OpaquePointer?
  /// The number of cancellation requests in flight.
  private let cancellations = Locked(0)

  init(_ configuration: PostgresConfiguration) { self.configuration = configuration }

  deinit { close() }

  /// Whether the connection can be used; also finds out whether the server has closed it.
  var isOpen: Bool {
    guard PQstatus(handle) == CONNECTION_OK else { return false }
    while wait(for: POLLIN, milliseconds: 0) { if PQconsumeInput(handle) == 0 { return false } }
    return true
  }

  func close() {
    PQfinish(handle)
    handle = nil
  }

  /// Connects to the first host that accepts.
  func open() throws(PostgresError) {
    if configuration.isMalformed { throw .malformedConnectionString }
    if handle == nil {
      let parameters = configuration.parameters
      handle = withCStrings(parameters.map { $0.keyword } + [nil]) { keywords in
        withCStrings(parameters.map { $0.value } + [nil]) { values in PQconnectdbParams(keywords, values, 1) }
      }
      // Without this, libpq prints the server's notices.
      PQsetNoticeReceiver(handle, { _, _ in }, nil)
      // Only this way, and from the second attempt, libpq reports the SQLSTATE of a refused connection.
      PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
    } else {
      PQreset(handle)
    }
    if PQstatus(handle) == CONNECTION_OK {
      // So that a server that does not read cannot block a call beyond its deadline.
      PQsetnonblocking(handle, 1)
      return
    }
    throw PostgresError(
      .notSent, sqlstate: PostgresError.sqlstate(ofConnecting: message), message: message,
      advice: PQconnectionNeedsPassword(handle) == 1 ? .addPassword : nil)
  }

  /// Runs a statement, and cancels it at a deadline.
  func run(
    _ sql: String, _ parameters: [String?], until deadline: ContinuousClock.Instant
  ) throws(PostgresError) -> [Row] {
    let isSent = withCStrings(parameters) {
      PQsendQueryParams(handle, sql, Int32(parameters.count), nil, $0, nil, nil, 0)
    }
    guard isSent == 1 else { throw lost() }
    while case let isWaiting = PQflush(handle), isWaiting != 0 || PQisBusy(handle) == 1 {
      if isWaiting < 0 { throw lost() }
      if wait(for: isWaiting == 1 ? POLLIN | POLLOUT : POLLIN, milliseconds: deadline.millisecondsFromNow) {
        if PQconsumeInput(handle) == 0 { throw lost() }
      } else if deadline <= .now {
        cancel()
        close()
        throw PostgresError(.unknown, message: "the time limit of a statement has passed", advice: .checkLoad)
      }
    }
    var rows: [Row] = []
    var failure: PostgresError?
    // The commit is certain only after the last result.
    while let result = PQgetResult(handle) {
      defer { PQclear(result) }
      switch PQresultStatus(result) {
      case PGRES_TUPLES_OK: rows += self.rows(of: result)
      case PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: break
      default: failure = error(of: result)
      }
    }
    // libpq also makes a result of a lost connection.
    if PQstatus(handle) == CONNECTION_BAD { throw lost(failure) }
    if let failure { throw failure }
    return rows
  }

  /// Waits for a notification, or until a byte can be read from another descriptor.
  ///
  /// - Returns: The payloads.
  func notifications(orInputOf other: Int32) throws(PostgresError) -> [String] {
    var waits = [PQsocket(handle), other].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    _ = poll(&waits, nfds_t(waits.count), -1)
    if waits[0].revents != 0, PQconsumeInput(handle) == 0 { throw lost() }
    var payloads: [String] = []
    while let notification = PQnotifies(handle) {
      payloads.append(String(cString: notification.pointee.extra))
      PQfreemem(notification)
    }
    return payloads
  }

  // MARK: libpq

  private func wait(for events: Int32, milliseconds: Int32) -> Bool {
    var wait = pollfd(fd: PQsocket(handle), events: Int16(events), revents: 0)
    return poll(&wait, 1, milliseconds) > 0
  }

  /// Requests the cancellation on another thread, because a server that accepts no connection blocks the call.
  private func cancel() {
    guard
      cancellations.withLock({
        $0 += 1; return $0
      }) <= 8
    else { return cancellations.withLock { $0 -= 1 } }
    // Only the new thread uses the request, which contains a copy of the address and the key.
    nonisolated(unsafe) let request = PQgetCancel(handle)
    startThread("postgres cancellation") { [cancellations] in
      var text = [CChar](repeating: 0, count: 256)
      _ = PQcancel(request, &text, Int32(text.count))
      PQfreeCancel(request)
      cancellations.withLock { $0 -= 1 }
    }
  }

  private func rows(of result: OpaquePointer) -> [Row] {
    (0..<PQntuples(result)).map { row in
      (0..<PQnfields(result)).map { column in
        PQgetisnull(result, row, column) == 1 ? nil : PQgetvalue(result, row, column).map { String(cString: $0) }
      }
    }
  }

  private func error(of result: OpaquePointer) -> PostgresError {
    let field = { code in PQresultErrorField(result, code).map { String(cString: $0) } }
    let state = field(pg_diag_sqlstate) ?? ""
    // The end of a session can follow a commit, for example while the server waits for a replica.
    let isCertain = field(pg_diag_severity) == "ERROR" && !state.hasPrefix("08") && state != "40003"
    return PostgresError(
      isCertain ? .refused : .unknown, sqlstate: state, message: field(pg_diag_message) ?? message)
  }

  private func lost(_ cause: PostgresError? = nil) -> PostgresError {
    PostgresError(.unknown, sqlstate: cause?.sqlstate, message: cause?.message ?? message)
  }

  /// The message of libpq as one line, without the place in the server's source code.
  private var message: String {
    String(cString: PQerrorMessage(handle)).split(separator: "\n").filter { !$0.hasPrefix("LOCATION:") }
      .map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "; ")
  }
}

/// Calls a function with an array of C strings, which are valid during the call.
private func withCStrings<Value>(
  _ texts: [String?], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Value
) -> Value {
  let copies = texts.map { $0.map { strdup($0) } ?? nil }
  defer { for copy in copies { free(copy) } }
  return copies.map { UnsafePointer($0) }.withUnsafeBufferPointer { buffer in
    // The address of an empty array can be `nil`.
    withUnsafePointer(to: nil as UnsafePointer<CChar>?) { body(buffer.baseAddress ?? $0) }
  }
}

extension ContinuousClock.Instant {
  fileprivate var millisecondsFromNow: Int32 {
    let milliseconds = ContinuousClock.now.duration(to: self) / .milliseconds(1)
    return Int32(min(Double(Int32.max), max(0, milliseconds.rounded(.up))))
  }
}
