internal import Dispatch
internal import Futures
internal import OrderTaking

/// A read or a write of a journal's file.
struct Job: Sendable {
  enum Level: Comparable {
    case read
    case write
    /// A write that must survive a power failure.
    case syncedWrite
  }

  let level: Level
  /// Uses the file, and returns the function that completes the future.
  let run: @Sendable (Database) throws -> @Sendable () -> Void
  let fail: @Sendable (JournalError) -> Void
}

/// The thread that uses a journal's file.
///
/// It takes all waiting jobs and commits their writes together. Another thread completes the futures, so that callbacks do not delay the
/// next commit.
///
/// `@unchecked Sendable`: only `queue` uses `file`.
final class Writer: @unchecked Sendable {
  private var file: JournalFile?
  private let path: String
  private let waiting = Locked<[Job]>([])
  private let queue = DispatchQueue(label: "OrderTakingJournal.writer")
  private let completions = DispatchQueue(label: "OrderTakingJournal.completions")

  init(_ file: JournalFile) {
    self.file = file
    path = file.path
  }

  /// The last jobs have finished, because each one retains the writer.
  deinit { file?.close() }

  func enqueue<Value: Sendable>(
    _ level: Job.Level, _ work: @escaping @Sendable (Database) throws -> Value
  ) -> Future<Value, JournalError> {
    let promise = Promise<Value, JournalError>()
    let job = Job(
      level: level,
      run: { database in
        let value = try work(database)
        return { promise.success(value) }
      }, fail: { promise.failure($0) })
    let isFirst = waiting.withLock { waiting in
      waiting.append(job)
      return waiting.count == 1
    }
    if isFirst { queue.async { self.runWaiting() } }
    return promise.future
  }

  /// Closes the file after the earlier jobs.
  func close() -> Future<Void, JournalError> {
    let promise = Promise<Void, JournalError>()
    queue.async {
      self.runWaiting()
      self.file?.close()
      self.file = nil
      self.complete([{ promise.success(()) }])
    }
    return promise.future
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
      guard let file else {
        throw JournalError(.storage, "Cannot use the journal \(path): it is closed. Open it again.")
      }
      complete(try file.run(jobs))
    } catch {
      let reads = jobs.filter { $0.level == .read }
      let failed = reads.count == jobs.count ? reads : jobs.filter { $0.level != .read }
      complete(failed.map { job in { job.fail(error) } })
      // The reads may have seen writes that are not in the file.
      if failed.count < jobs.count { run(reads) }
    }
  }

  private func complete(_ completed: [@Sendable () -> Void]) {
    completions.async { for complete in completed { complete() } }
  }
}
