internal import Futures
internal import OrderTaking

extension World {
  func performJournalCall(of process: SimulatedProcess) {
    guard process.isAlive, !process.calls.isEmpty else { return }
    let call = process.calls[0]
    let number = process.performedCalls
    process.performedCalls += 1
    switch call {
    case .write(let record, let operation, let promise):
      let isLikely = !record.checkpoint.mustSurvivePowerFailure
      if random.happens(faults[.duplicateProcess] / (isLikely ? 2 : 20)), mayDuplicate(process.device) {
        start(process.device)
      }
      if crashes(process) { return }
      let result = write(record, of: operation, process)
      process.answers[number] = { promise.complete(result) }
      note { "\(name(operation)): write \(record.checkpoint): \(result.error.map(\.kind.rawValue) ?? "stored")" }
    case .acknowledge(let record, let promise):
      if crashes(process) { return }
      let fails = random.happens(faults[.failedWrite])
      if !fails { devices[process.device].disk.acknowledge(record) }
      process.answers[number] = { promise.complete(fails ? .failure(SimulatedProcess.failure) : .success(())) }
      note { "\(name(process)), order \(record.intent.order): \(fails ? "cannot record" : "records") the delivery" }
    case .read(let order, let operation, let promise):
      let record = devices[process.device].disk.read(order)
      let fails = random.happens(faults[.failedWrite])
      let isFirst = operation.map { operations[$0].begunAt == nil } ?? false
      if !fails, !isFirst, let operation, let record { noteStored(record, of: operation) }
      process.answers[number] = {
        if let operation, isFirst { self.begin(operation, from: record, fails: fails) }
        promise.complete(fails ? .failure(SimulatedProcess.failure) : .success(record))
      }
    case .open(let promise):
      let fails = random.happens(faults[.failedWrite])
      let records = devices[process.device].disk.records.compactMap(\.self).filter(\.needsResuming)
        .sorted { $0.begunAt < $1.begunAt }
      process.answers[number] = { promise.complete(fails ? .failure(SimulatedProcess.failure) : .success(records)) }
    }
    process.calls.removeFirst()
    if case .read = call {} else if case .open = call {} else if crashes(process) { return }
    guard !hasFastDisks, random.next(below: 2) == 0 else { return answerJournalCall(of: process, number) }
    plan(.journalAnswer(process: process.number, number: number), within: 1)
  }

  func answerJournalCall(of process: SimulatedProcess, _ number: Int) {
    guard process.isAlive else { return }
    process.answers.removeValue(forKey: number)?()
  }

  func isFenced(_ process: SimulatedProcess) -> Bool { devices[process.device].owner !== process }

  private func write(
    _ record: TakingRecord<Int>, of operation: Int, _ process: SimulatedProcess
  ) -> Result<Void, JournalError> {
    operations[operation].key = record.intent.key
    guard !isFenced(process) else { return .failure(JournalError(.fenced, "")) }
    guard !random.happens(faults[.failedWrite]) else {
      operations[operation].hasFailedWrite = true
      return .failure(SimulatedProcess.failure)
    }
    guard !random.happens(faults[.ambiguousWrite]) else {
      operations[operation].hasFailedWrite = true
      devices[process.device].disk.writeInDoubt(record, random.next(below: 3))
      return .failure(JournalError(.unknownOutcome, ""))
    }
    devices[process.device].disk.write(record, syncs: record.checkpoint.mustSurvivePowerFailure)
    noteStored(record, of: operation)
    return .success(())
  }

  private func noteStored(_ record: TakingRecord<Int>, of operation: Int) {
    guard record.intent.key == operations[operation].key else { return }
    operations[operation].stored = record.checkpoint
    if record.checkpoint == .begun { operations[operation].mayPut = true }
  }

  private func begin(_ operation: Int, from record: TakingRecord<Int>?, fails: Bool) {
    operations[operation].begunAt = now
    beginning = operation
    operations[operation].hasEnded = fails
    guard !fails, let record else { return }
    operations[operation].key = record.intent.key
    operations[operation].stored = record.checkpoint
  }

  // MARK: Crashes

  func crashes(_ process: SimulatedProcess) -> Bool {
    let point = crashPoints
    crashPoints += 1
    guard random.happens(faults[.crash]) || simulation.crashPoint == point else { return false }
    crash(process)
    return true
  }

  func crash(_ process: SimulatedProcess) {
    guard process.isAlive else { return }
    note { "\(name(process)) CRASHES" }
    crashes += 1
    process.die()
    guard devices[process.device].owner === process else { return }
    plan(.start(device: process.device), within: random.next(below: 4) == 0 ? 300 : 10)
  }

  func start(_ device: Int) {
    devices[device].disk.recover()
    let process = SimulatedProcess(self, device: device, number: processes.count)
    processes.append(process)
    devices[device].owner = process
    note { "\(name(process)) starts" }
    resume(process)
  }

  /// A process can cause more than one duplicate.
  ///
  /// Without a limit, their number would grow exponentially in some worlds.
  private func mayDuplicate(_ device: Int) -> Bool {
    processes.count { $0.device == device && $0.isAlive } < 20
  }

  func losePower(_ device: Int) {
    note { "device \(device) loses power" }
    for process in processes where process.device == device { crash(process) }
    devices[device].disk.losePower { random.next(below: $0) }
    devices[device].bootAt = now
    devices[device].boot += 1
  }
}
