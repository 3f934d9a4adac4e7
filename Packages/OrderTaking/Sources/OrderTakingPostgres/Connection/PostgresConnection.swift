internal import CPostgres
internal import Foundation

/// Not thread-safe: one thread uses it.
final class PostgresConnection {
  private enum Phase {
    case connecting(PostgresPollingStatusType)
    case idle
    case preparing(PostgresJob)
    case running(PostgresJob)
    /// The server was asked to cancel the statement of a completed job.
    case cancelling(reason: String)
    case broken(reason: String)
  }

  private let handle: OpaquePointer
  private let configuration: PostgresConfiguration
  private var phase = Phase.connecting(PGRES_POLLING_WRITING)
  private var prepared: Set<String> = []
  private var isFlushing = false
  private var first: PostgresJob?
  private var rows: [Row] = []
  private var failure: PostgresError?
  private(set) var deadline: ContinuousClock.Instant?
  private(set) var wasConnected = false
  let firstHost: Int
  private(set) var isSilent = false

  init?(_ configuration: PostgresConfiguration, _ hosts: PostgresHosts, from firstHost: Int) {
    // Later settings replace those of the connection string.
    let settings =
      [
        ["dbname", configuration.connection], ["client_encoding", "UTF8"],
        ["fallback_application_name", "OrderTaking"],
      ] + hosts.settings(from: firstHost)
    var keywords: [UnsafePointer<CChar>?] = settings.map { UnsafePointer(strdup($0[0])) } + [nil]
    var values: [UnsafePointer<CChar>?] = settings.map { UnsafePointer(strdup($0[1])) } + [nil]
    defer { for text in keywords + values { free(UnsafeMutablePointer(mutating: text)) } }
    guard let handle = PQconnectStartParams(&keywords, &values, 1) else { return nil }
    self.handle = handle
    self.configuration = configuration
    self.firstHost = firstHost
    deadline = .now + hosts.timeLimit
    // Without this, libpq prints the server's notices.
    PQsetNoticeReceiver(handle, { _, _ in }, nil)
    if PQstatus(handle) == CONNECTION_BAD { lose() }
  }

  deinit { PQfinish(handle) }

  var isIdle: Bool { if case .idle = phase { true } else { false } }

  var isConnecting: Bool { if case .connecting = phase { true } else { false } }

  var isCancelling: Bool { if case .cancelling = phase { true } else { false } }

  var reason: String? { if case .broken(let reason) = phase { reason } else { nil } }

  var wait: pollfd {
    let isWriting =
      switch phase {
      case .connecting(let step): step == PGRES_POLLING_WRITING
      default: isFlushing
      }
    let isReading = if case .connecting = phase { !isWriting } else { true }
    return pollfd(
      fd: PQsocket(handle), events: Int16(isWriting ? POLLOUT : 0) | Int16(isReading ? POLLIN : 0), revents: 0)
  }

  // MARK: Statements

  func startWhenConnected(_ job: PostgresJob) { first = job }

  func start(_ job: PostgresJob) {
    deadline = .now + configuration.statementTimeLimit
    (rows, failure) = ([], nil)
    let statement = job.statement
    guard !statement.name.isEmpty, !prepared.contains(statement.name) else { return execute(job) }
    phase = .preparing(job)
    let types = job.parameters.map(\.type)
    if PQsendPrepare(handle, statement.name, statement.sql, Int32(types.count), types) == 0 { return lose() }
    flush()
  }

  private func execute(_ job: PostgresJob) {
    phase = .running(job)
    let fields = job.parameters.map(\.bytes)
    let count = Int32(fields.count)
    let (lengths, formats) = (fields.map { Int32($0.count) }, fields.map { _ in Int32(1) })
    // The last byte gives an empty parameter an address: without one, it would be `NULL`.
    let buffer = (fields.flatMap(\.self) + [0]).map { CChar(bitPattern: $0) }
    let isSent = buffer.withUnsafeBufferPointer { buffer in
      var offset = 0
      let values = fields.map { field -> UnsafePointer<CChar>? in
        defer { offset += field.count }
        return buffer.baseAddress.map { $0 + offset }
      }
      return job.statement.name.isEmpty
        ? PQsendQueryParams(
          handle, job.statement.sql, count, job.parameters.map(\.type), values, lengths, formats, 1)
        : PQsendQueryPrepared(handle, job.statement.name, count, values, lengths, formats, 1)
    }
    if isSent == 0 { return lose() }
    flush()
  }

  private func flush() {
    switch PQflush(handle) {
    case 0: isFlushing = false
    case 1: isFlushing = true
    default: lose()
    }
  }

  // MARK: Events

  func advance() -> [String] {
    switch phase {
    case .connecting: connect()
    case .broken: break
    case .idle, .preparing, .running, .cancelling:
      guard PQconsumeInput(handle) == 1 else {
        lose()
        return []
      }
      if isFlushing { flush() }
      collect()
    }
    return notifications()
  }

  private func connect() {
    let step = PQconnectPoll(handle)
    switch step {
    case PGRES_POLLING_OK:
      PQsetnonblocking(handle, 1)
      (phase, deadline, wasConnected) = (.idle, nil, true)
      if let first { start(first) }
      first = nil
    case PGRES_POLLING_FAILED: lose()
    default: phase = .connecting(step)
    }
  }

  private func collect() {
    while PQisBusy(handle) == 0 {
      switch phase {
      case .preparing(let job):
        guard let result = PQgetResult(handle) else {
          if let failure {
            finish(job, .failure(failure))
          } else {
            prepared.insert(job.statement.name)
            execute(job)
          }
          continue
        }
        read(result)
      case .running(let job):
        // The commit is certain only after the last result.
        guard let result = PQgetResult(handle) else {
          finish(job, failure.map { .failure($0) } ?? .success(rows))
          continue
        }
        read(result)
      case .cancelling(let reason):
        guard let result = PQgetResult(handle) else { return lose(reason) }
        PQclear(result)
      case .idle, .connecting, .broken:
        if PQstatus(handle) == CONNECTION_BAD { lose() }
        return
      }
    }
  }

  private func finish(_ job: PostgresJob, _ result: Result<[Row], PostgresError>) {
    // A lost connection also ends the statement, with a result that libpq has made.
    guard PQstatus(handle) != CONNECTION_BAD else { return lose() }
    (phase, deadline, rows, failure) = (.idle, nil, [], nil)
    job.complete(result)
  }

  private func read(_ result: OpaquePointer) {
    defer { PQclear(result) }
    switch PQresultStatus(result) {
    case PGRES_TUPLES_OK:
      for row in 0..<PQntuples(result) {
        rows.append(
          Row(
            columns: (0..<PQnfields(result)).map { column in
              guard PQgetisnull(result, row, column) == 0, let value = PQgetvalue(result, row, column) else {
                return nil
              }
              return Array(UnsafeRawBufferPointer(start: value, count: Int(PQgetlength(result, row, column))))
            }))
      }
    case PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: break
    default:
      let field = { code in PQresultErrorField(result, code).map { String(cString: $0) } }
      let state = field(pg_diag_sqlstate) ?? ""
      // The end of a session can follow a commit, for example while the server waits for a replica.
      let isCertain = field(pg_diag_severity) == "ERROR" && !state.hasPrefix("08") && state != "40003"
      failure = PostgresError(
        effect: isCertain ? .refused(sqlstate: state) : .unknown,
        message: redacted(field(pg_diag_message) ?? String(cString: PQresultErrorMessage(result))))
    }
  }

  private func notifications() -> [String] {
    var payloads: [String] = []
    while let notification = PQnotifies(handle) {
      payloads.append(String(cString: notification.pointee.extra))
      PQfreemem(notification)
    }
    return payloads
  }

  // MARK: The end

  /// A statement is cancelled.
  ///
  /// The connection closes when the statement has ended, because an abandoned statement would keep its session on the
  /// server, for example in the queue of a lock.
  func expire() {
    switch phase {
    case .preparing, .running:
      let reason = "the time limit of a statement has passed"
      failJob(failure?.message ?? reason)
      (phase, deadline) = (.cancelling(reason: reason), .now + configuration.connectTimeLimit)
      cancelStatement()
    case .connecting:
      isSilent = true
      lose("the time limit of connecting has passed")
    case .cancelling(let reason): lose(reason)
    case .idle, .broken: break
    }
  }

  private func cancelStatement() {
    // Only the new thread uses the request, which contains a copy of the address and the key.
    nonisolated(unsafe) let request = PQgetCancel(handle)
    Thread.detachNewThread {
      // `PQcancel` sends without protection against this signal, which stays blocked until the thread ends.
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGPIPE)
      pthread_sigmask(SIG_BLOCK, &signals, nil)
      var message = [CChar](repeating: 0, count: 256)
      // After a failure, the connection closes at its deadline.
      _ = PQcancel(request, &message, Int32(message.count))
      PQfreeCancel(request)
    }
  }

  func lose(_ reason: String? = nil) {
    if case .broken = phase { return }
    let text = reason ?? failure?.message ?? redacted(String(cString: PQerrorMessage(handle)))
    failJob(text)
    (phase, deadline) = (.broken(reason: text), nil)
  }

  private func failJob(_ text: String) {
    switch phase {
    case .preparing(let job): job.complete(.failure(PostgresError(effect: .notSent, message: text)))
    case .running(let job):
      let known = failure.flatMap { $0.effect == .unknown ? nil : $0 }
      job.complete(.failure(known ?? PostgresError(effect: .unknown, message: text)))
    case .connecting, .idle, .cancelling, .broken: break
    }
  }

  private func redacted(_ text: String) -> String {
    var line = text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
      .joined(separator: "; ")
    if line.hasSuffix(".") { line.removeLast() }
    return line.hiding(password: PQpass(handle).map { String(cString: $0) } ?? "")
  }
}
