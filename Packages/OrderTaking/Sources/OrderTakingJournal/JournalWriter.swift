internal import Dispatch
internal import Futures
internal import OrderTaking

/// The thread that uses a journal's file.
///
/// It takes all waiting jobs and commits their writes together, so that concurrent operations share the waits for the
/// disk. Another thread completes the futures, so that callbacks do not delay the next commit.
///
/// `@unchecked Sendable`: only `queue` uses `storage`.
final class JournalWriter: @unchecked Sendable {
  private var storage: JournalStorage?
  private let path: String
  private let waiting = Locked<[Job]>([])
  private let queue = DispatchQueue(label: "OrderTakingJournal.writer")
  private let completions = DispatchQueue(label: "OrderTakingJournal.completions")

  init(_ storage: JournalStorage) {
    self.storage = storage
    path = storage.path
  }

  func enqueue<Value: Sendable>(
    _ kind: Job.Kind, _ work: @escaping Job.Work<Value>
  ) -> Future<Value, JournalError> {
    let promise = Promise<Value, JournalError>()
    let job = Job(kind, work) { promise.complete($0) }
    let isFirst = waiting.withLock { waiting in
      waiting.append(job)
      return waiting.count == 1
    }
    if isFirst { queue.async { self.runWaiting() } }
    return promise.future
  }

  func close() {
    queue.sync {
      runWaiting()
      storage = nil
    }
  }

  private func runWaiting() {
    let jobs = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    if !jobs.isEmpty { run(jobs) }
  }

  private func run(_ jobs: [Job]) {
    do throws(JournalError) {
      guard let storage else {
        throw JournalError(.storage, "Cannot use the journal \(path): it is closed. Open it again.")
      }
      complete(try storage.run(jobs))
    } catch {
      let isUnknown = error.kind == .unknownOutcome
      for job in jobs {
        // One job may have caused the failure of all, so each runs alone. After an unknown outcome, only reads can run again.
        if isUnknown ? job.kind == .read : jobs.count > 1 { run([job]) } else { complete([{ job.fail(error) }]) }
      }
    }
  }

  private func complete(_ completed: [@Sendable () -> Void]) {
    completions.async { for complete in completed { complete() } }
  }
}
