internal import Arguments
internal import Futures
internal import OrderTaking
internal import OrderTakingPostgres
internal import Terminal

extension OrderCommand {
  private enum WorkEvent: Sendable {
    case ended(String, Result<AcceptedOrder<String, String>, OrderTakingFailure>, OrderTaker<String, String>)
    case failed(JournalError)
    case signal
  }

  /// `demo order work`: finishes the orders of a database until a signal.
  func work(_ options: OrderOptions, _ database: PostgresConfiguration, workers count: Int) async throws -> ExitCode {
    try await withSession(options, timeline(options)) { session, interrupts in
      let (events, event) = AsyncStream.makeStream(of: WorkEvent.self)
      interrupts.atSignal { event.yield(.signal) }
      var workers: [PostgresJournal] = []
      do {
        for _ in 0..<count {
          let worker = try await startWorker(session, database) { event.yield($0) }
          workers.append(worker)
          session.timeline.show(TimelineEntry("worker", "\(worker.name) started"))
        }
        try await show(events, session, interrupts)
      } catch {
        await close(workers)
        throw error
      }
      session.timeline.show(TimelineEntry("worker", "releasing the orders to other workers"))
      await close(workers)
      throw Interrupted()
    }
  }

  /// Starts a worker that resumes due orders.
  private func startWorker(
    _ session: OrderSession, _ database: PostgresConfiguration, _ handle: @escaping @Sendable (WorkEvent) -> Void
  ) async throws -> PostgresJournal {
    var database = database
    // Few at a time, so that all workers get orders.
    database.claimCount = 32
    let current = Locked<Resumer?>(nil)
    let worker = try await PostgresJournal.open(
      database, cancel: { _, order in current.withLock { $0 }?.taker.cancel(order) },
      wake: { current.withLock { $0 }?.resume() }
    ).get()
    let taker = makeTaker(session, journal: worker.journal(of: EmbeddedServer.driver))
    current.withLock { $0 = Resumer(taker: taker, handle: handle) }
    return worker
  }

  /// Resumes the due orders of a worker, a batch at a time.
  private struct Resumer: Sendable {
    let taker: OrderTaker<String, String>
    let handle: @Sendable (WorkEvent) -> Void
    private let isBusy = Locked(false)

    init(taker: OrderTaker<String, String>, handle: @escaping @Sendable (WorkEvent) -> Void) {
      (self.taker, self.handle) = (taker, handle)
    }

    /// Resumes the next batch, unless one is under way.
    func resume() {
      let isFirst = isBusy.withLock { isBusy in
        defer { isBusy = true }
        return !isBusy
      }
      guard isFirst else { return }
      taker.resume().onComplete(immediateExecutionContext) { result in
        switch result {
        case .success(let orders) where !orders.isEmpty:
          let left = Locked(orders.count)
          for order in orders {
            order.future.onComplete(immediateExecutionContext) { result in
              handle(.ended(order.order, result, taker))
              let isLast = left.withLock { left in
                left -= 1
                return left == 0
              }
              if isLast { next() }
            }
          }
        case .success: isBusy.withLock { $0 = false }
        case .failure(let error):
          isBusy.withLock { $0 = false }
          handle(.failed(error))
        }
      }
    }

    private func next() {
      isBusy.withLock { $0 = false }
      resume()
    }
  }

  /// Prints the outcomes until a signal.
  private func show(_ events: AsyncStream<WorkEvent>, _ session: OrderSession, _ interrupts: InterruptHandler)
    async throws
  {
    var lastError: JournalError?
    for await event in events {
      switch event {
      case .ended(let order, let result, let taker):
        // The order is still due, or another worker has it and reports the outcome.
        if case .failure(let failure) = result, !failure.isRecorded { continue }
        let options = session.options
        _ = await tell(order, result, options, taker) { failure in
          OrderError(failure, order: order, options, lastError: session.lastError(of: order))
        }
      case .failed(let error):
        // A lasting error is reported once.
        guard error != lastError else { continue }
        lastError = error
        _ = report(OrderError(error))
      case .signal: return
      }
    }
  }

  private func close(_ workers: [PostgresJournal]) async {
    let closed = workers.map { $0.close() }
    for future in closed { try? await future.get() }
  }
}

extension OrderTakingFailure {
  /// Whether the journal has the outcome, and not only a failure of the journal or another worker.
  fileprivate var isRecorded: Bool {
    switch kind {
    case .journal: false
    case .unknown:
      status != nil
        || [OrderTakingFailure(.unknown(.expired)), OrderTakingFailure(.unknown(.cancelled))].contains(self)
    default: true
    }
  }
}
