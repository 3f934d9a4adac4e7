internal import Arguments
internal import Futures
internal import OrderTaking
internal import OrderTakingPostgres
internal import Terminal

extension OrderCommand {
  /// The maximum number of orders that a worker claims at once: few, so that all workers get orders.
  private static let claimCount = 32

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
        if let code = try await show(events, session) {
          await close(workers)
          return code
        }
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
    database.claimCount = Self.claimCount
    let current = Locked<Resumer?>(nil)
    let worker = try await PostgresJournal.open(
      database, cancel: { _, order in current.withLock { $0 }?.taker.cancel(order) },
      wake: { current.withLock { $0 }?.resume() }
    ).get()
    let taker = makeTaker(session, worker: worker)
    current.withLock { $0 = Resumer(taker: taker, handle: handle) }
    return worker
  }

  /// Resumes the due orders of a worker, as long as not too many are under way.
  private struct Resumer: Sendable {
    private struct State {
      var isClaiming = false
      var runningCount = 0
      /// Whether orders may be due that were not claimed.
      var mayHaveMore = false
    }

    let taker: OrderTaker<String, String>
    let handle: @Sendable (WorkEvent) -> Void
    private let state = Locked(State())

    init(taker: OrderTaker<String, String>, handle: @escaping @Sendable (WorkEvent) -> Void) {
      (self.taker, self.handle) = (taker, handle)
    }

    /// Claims and resumes more orders.
    ///
    /// A slow order does not delay the others: the next ones are claimed when half of a batch has ended.
    func resume() {
      let mayClaim = state.withLock { state in
        state.mayHaveMore = true
        guard !state.isClaiming, state.runningCount <= OrderCommand.claimCount / 2 else { return false }
        (state.isClaiming, state.mayHaveMore) = (true, false)
        return true
      }
      guard mayClaim else { return }
      taker.resume().onComplete(immediateExecutionContext) { result in
        let orders = (try? result.get()) ?? []
        let mayHaveMore = state.withLock { state in
          state.isClaiming = false
          state.runningCount += orders.count
          return state.mayHaveMore || !orders.isEmpty
        }
        if case .failure(let error) = result { return handle(.failed(error)) }
        for order in orders {
          order.future.onComplete(immediateExecutionContext) { result in
            handle(.ended(order.order, result, taker))
            let mayHaveMore = state.withLock { state in
              state.runningCount -= 1
              return state.mayHaveMore
            }
            if mayHaveMore { resume() }
          }
        }
        if mayHaveMore { resume() }
      }
    }
  }

  /// Prints the outcomes until a signal, or until the output cannot be written.
  ///
  /// - Returns: The exit code if an outcome was not written. Another worker then reports it.
  private func show(_ events: AsyncStream<WorkEvent>, _ session: OrderSession) async throws -> ExitCode? {
    var lastError: JournalError?
    for await event in events {
      switch event {
      case .ended(let order, let result, let taker):
        // The order is still due, or another worker has it and reports the outcome.
        if case .failure(let failure) = result, !failure.isRecorded { continue }
        let options = session.options
        let (code, isWritten) = await tell(order, result, options, taker) { failure in
          OrderError(failure, order: order, options, lastError: session.lastError(of: order))
        }
        guard isWritten else { return code }
      case .failed(let error):
        // A lasting error is reported once.
        guard error != lastError else { continue }
        lastError = error
        _ = report(OrderError(error))
      case .signal: return nil
      }
    }
    return nil
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
