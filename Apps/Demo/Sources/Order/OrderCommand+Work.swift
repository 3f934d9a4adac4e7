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
    let (current, isResuming) = (Locked<OrderTaker<String, String>?>(nil), Locked(false))
    let worker = try await PostgresJournal.open(
      database, cancel: { _, order in current.withLock { $0 }?.cancel(order) },
      wake: {
        guard let taker = current.withLock({ $0 }) else { return }
        let isFirst = isResuming.withLock { isResuming in
          defer { isResuming = true }
          return !isResuming
        }
        guard isFirst else { return }
        taker.resume().onComplete(immediateExecutionContext) { result in
          isResuming.withLock { $0 = false }
          switch result {
          case .success(let orders):
            for order in orders {
              order.future.onComplete(immediateExecutionContext) { handle(.ended(order.order, $0, taker)) }
            }
          case .failure(let error): handle(.failed(error))
          }
        }
      }
    ).get()
    let taker = makeTaker(session, journal: worker.journal(of: EmbeddedServer.driver))
    current.withLock { $0 = taker }
    return worker
  }

  /// Prints the outcomes until a signal.
  private func show(_ events: AsyncStream<WorkEvent>, _ session: OrderSession, _ interrupts: InterruptHandler)
    async throws
  {
    var lastError: JournalError?
    for await event in events {
      switch event {
      case .ended(let order, let result, let taker):
        // Another worker reports the outcome.
        if case .failure(let failure) = result, failure == OrderTakingFailure(.unknown(.fenced)) { continue }
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
