internal import Futures
internal import OrderTaking

extension World {
  func take(_ device: Int, _ order: Int) {
    guard let process = process(of: device), !isUnderWay(order, process), let taker = process.taker else { return }
    watch(taker.take(order, body: [UInt8(order)]), order, process)
    planCancellation(of: order, process)
  }

  func reconcile(_ device: Int, _ order: Int) {
    guard let process = process(of: device), !isUnderWay(order, process), let taker = process.taker else { return }
    watch(taker.reconcile(order), order, process)
  }

  func cancel(_ operation: Int) {
    let (process, order) = (processes[operations[operation].process], operations[operation].order)
    guard process.isAlive, process.operations[order] == operation, !operations[operation].hasEnded else { return }
    // The app may resume its orders at any time, also while an operation ends.
    if random.next(below: 4) == 0 { resume(process) }
    process.taker?.cancel(order)
  }

  func resume(_ process: SimulatedProcess) {
    guard process.isAlive else { return }
    process.taker?.resume().onComplete(immediateExecutionContext) { result in
      guard process.isAlive else { return }
      switch result {
      case .success(let resumed):
        for order in resumed {
          self.watch(order.future, order.order, process)
          if self.random.next(below: 4) == 0 { self.planCancellation(of: order.order, process) }
        }
      case .failure: self.plan(.resume(device: process.device), within: 10)
      }
    }
  }

  func makeKey(for process: SimulatedProcess) -> IdempotencyKey {
    lastKey += 1
    let fresh = IdempotencyKey(high: UInt64(process.device), low: lastKey)
    let isNew = !process.isAlive || server.hasManyTakings || !random.happens(faults[.keyCollision])
    guard !isNew, let order = beginning.map({ operations[$0].order }) else { return fresh }
    let own = operations.filter { $0.order == order }.map(\.key)
    return operations.last { $0.key?.high == UInt64(process.device) && !own.contains($0.key) }?.key ?? fresh
  }

  /// Returns the process that the driver uses: the newest one, or sometimes the oldest one, which may be fenced.
  private func process(of device: Int) -> SimulatedProcess? {
    let living = processes.filter { $0.device == device && $0.isAlive }
    return random.next(below: 4) == 0 ? living.first : living.last
  }

  private func isUnderWay(_ order: Int, _ process: SimulatedProcess) -> Bool {
    process.operations[order].map { !operations[$0].hasEnded } ?? false
  }

  private func planCancellation(of order: Int, _ process: SimulatedProcess) {
    guard let operation = process.operations[order], random.happens(faults[.cancel]) else { return }
    plan(.cancel(operation: operation), within: random.next(below: 2) == 0 ? 3 : 20)
  }

  func operation(_ order: Int, of process: SimulatedProcess) -> Int {
    if let operation = process.operations[order], !operations[operation].hasEnded { return operation }
    process.operations[order] = operations.count
    operations.append(Operation(process: process.number, order: order))
    return operations.count - 1
  }

  private func watch(
    _ future: Future<AcceptedOrder<Int, UInt64>, OrderTakingFailure>, _ order: Int, _ process: SimulatedProcess
  ) {
    guard let operation = process.operations[order] else { return }
    operations[operation].isWatched = true
    future.onComplete(immediateExecutionContext) { result in
      if process.isAlive { self.report(result, of: operation, process) }
    }
  }

  private func report(
    _ result: Result<AcceptedOrder<Int, UInt64>, OrderTakingFailure>, of operation: Int, _ process: SimulatedProcess
  ) {
    operations[operation].hasEnded = true
    check(result, of: operation, process.device)
    let (device, order) = (process.device, operations[operation].order)
    // Another process may have recorded another outcome since then.
    if acknowledgement == .explicit { process.acknowledge(result, of: order) }
    // The journal could not be read.
    if operations[operation].outcome == nil, result.error != nil { plan(.resume(device: device), within: 10) }
    guard process.isAlive, devices[device].patience[order] > 0 else { return }
    let isUnknown = result.error.map { $0.kind == .unknown || $0.kind == .journal } ?? false
    guard isUnknown || random.next(below: 4) == 0 else { return }
    devices[device].patience[order] -= 1
    let reconciles = isUnknown && random.next(below: 2) == 0
    plan(reconciles ? .reconcile(device: device, order: order) : .take(device: device, order: order), within: 60)
  }
}
