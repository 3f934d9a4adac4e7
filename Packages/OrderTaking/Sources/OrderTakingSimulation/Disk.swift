internal import Futures
internal import OrderTaking

typealias TakingID = ListedRecord.ID

/// The records of the machine: a write survives the end of the process, and survives a power failure after a sync.
struct SimulatedDisk {
  private(set) var records: [TakingID: TakingRecord] = [:]
  /// The replaced records of the writes that were not synced, oldest first.
  private var unsynced: [(id: TakingID, before: TakingRecord?)] = []
  /// A record that is absent now, and that the next process recovers.
  private var ghost: (id: TakingID, record: TakingRecord)?

  mutating func write(_ record: TakingRecord, of id: TakingID, syncs: Bool) {
    ghost = nil
    unsynced.append((id, records.updateValue(record, forKey: id)))
    if syncs { unsynced.removeAll() }
  }

  /// Writes a record with an unknown outcome: it is stored, or restored by a recovery, or lost.
  mutating func writeInDoubt(_ record: TakingRecord, of id: TakingID, _ variant: Int) {
    if variant == 0 { write(record, of: id, syncs: true) } else if variant == 1 { ghost = (id, record) }
  }

  mutating func acknowledge(_ record: TakingRecord, of id: TakingID) {
    guard var current = records[id], current.intent.key == record.intent.key, current.checkpoint == record.checkpoint
    else { return }
    current.isDelivered = true
    write(current, of: id, syncs: false)
  }

  func due(of driver: DriverID, at now: Duration) -> [TakingRecord] {
    records.filter { id, record in id.driver == driver && record.isDue(at: now) }.values
      .sorted { ($0.begunAt, $0.intent.order) < ($1.begunAt, $1.intent.order) }
  }

  mutating func recover() {
    if let ghost { write(ghost.record, of: ghost.id, syncs: true) }
  }

  /// Undoes the writes that were not synced, except for some of the oldest.
  mutating func losePower(keeping random: inout SplitMix64) {
    let kept = random.next(below: unsynced.count + 1)
    while unsynced.count > kept, let write = unsynced.popLast() { records[write.id] = write.before }
    unsynced.removeAll()
  }
}

extension Process {
  static let failure = JournalError(.storage, "the simulated disk has failed")

  /// The journal of a driver.
  ///
  /// Calls take effect one after the other, and all calls of a dead process fail.
  func journal(of driver: DriverID) -> Journal {
    Journal(
      write: { record in
        let operation = self.operation(of: TakingID(driver: driver, order: record.intent.order))
        return self.write(record, of: operation.id, operation).onFailure(immediateExecutionContext) { error in
          operation.hasFailedWrite = true
          // The operation handles the answer after the effects of the current event.
          if error.kind == .fenced { self.world.plan(at: self.world.now) { operation.isFenced = true } }
        }
      },
      record: { order in
        self.call(isRead: true) {
          let id = TakingID(driver: driver, order: order)
          let record = self.world.disk.records[id]
          self.lastRead[id] = record
          if let operation = self.operations[id], operation.isInDoubt { operation.noteStored(record) }
          return .success(record)
        }
      },
      dueRecords: { limit, underWay in
        self.call(isRead: true) {
          .success(Array(self.due(of: driver).filter { !underWay.contains($0.intent.order) }.prefix(limit)))
        }
      },
      acknowledge: { record in
        let id = TakingID(driver: driver, order: record.intent.order)
        self.noteDelivery(of: id)
        return self.call {
          self.world.disk.acknowledge(record, of: id)
          self.world.note { "\(self), \(id.text): the delivery is recorded" }
          return .success(())
        }
      },
      claims: claims.of(driver))
  }

  var dueDrivers: Future<[DriverID], JournalError> {
    call(isRead: true) { .success(World.drivers.filter { !self.due(of: $0).isEmpty }) }
  }

  private var isFenced: Bool { world.processes.last !== self }

  private func due(of driver: DriverID) -> [TakingRecord] {
    isFenced ? [] : world.disk.due(of: driver, at: world.moment.sinceEpoch)
  }

  func write(
    _ record: TakingRecord, of id: TakingID, _ operation: Operation? = nil
  ) -> Future<Void, JournalError> {
    call {
      let world = self.world
      if world.happens(.takeOver, outOf: 10), world.processes.count < 20 { world.start() }
      operation?.key = record.intent.key
      world.note { "\(self), \(id.text): write \(record.checkpoint)\(self.isFenced ? ", fenced" : "")" }
      if self.isFenced { return .failure(JournalError(.fenced, "another process has started")) }
      if world.happens(.ambiguousWrite) {
        operation?.isInDoubt = true
        world.disk.writeInDoubt(record, of: id, world.random.next(below: 3))
        return .failure(JournalError(.unknownOutcome, "the sync has failed"))
      }
      world.disk.write(record, of: id, syncs: record.checkpoint.mustSurvivePowerFailure)
      operation?.noteStored(record)
      return .success(())
    }
  }

  /// Performs a call now or later, and answers it at once or later.
  private func call<Value>(
    isRead: Bool = false, _ perform: @escaping () -> Result<Value, JournalError>
  ) -> Future<Value, JournalError> {
    guard isAlive else { return Future(error: Self.failure) }
    let promise = Promise<Value, JournalError>()
    let work = {
      self.callCount -= 1
      guard self.isAlive, isRead || !self.world.crashes(self) else { return promise.failure(Self.failure) }
      let result = self.world.happens(.failedWrite) ? .failure(Self.failure) : perform()
      guard isRead || !self.world.crashes(self) else { return promise.failure(Self.failure) }
      guard !self.world.hasFastDisk, self.world.random.next(below: 2) == 0 else { return promise.complete(result) }
      self.world.plan(within: 1) { promise.complete(self.isAlive ? result : .failure(Self.failure)) }
    }
    callCount += 1
    let isSlow = world.happens(.slowWrite)
    if world.hasFastDisk, !isSlow, callCount == 1 {
      work()
    } else {
      lastCallAt = max(lastCallAt, world.now + Int64(world.random.next(below: isSlow ? 20_000 : 1_000)) * 1_000_000)
      world.plan(at: lastCallAt, work)
    }
    return promise.future
  }
}
