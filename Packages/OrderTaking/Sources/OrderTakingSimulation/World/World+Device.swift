internal import OrderTaking

extension World {
  func moment(of device: Int) -> Moment {
    let device = devices[device]
    return Moment(
      sinceEpoch: .seconds(1_700_000_000) + .nanoseconds(now + device.clockError),
      sinceBoot: .nanoseconds(now - device.bootAt), boot: device.boot)
  }

  /// Starts a timer, which does not run while the device sleeps.
  func startTimer(
    of process: SimulatedProcess, after delay: Duration, _ callback: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void {
    let number = timers.count
    timers.append(callback)
    let (seconds, attoseconds) = delay.components
    agenda.insert(
      .timer(process: process.number, number: number, slept: devices[process.device].slept),
      at: now + seconds * World.second + attoseconds / World.second)
    return {
      guard process.isAlive else { return }
      // A timer that is just firing cannot be stopped.
      if !self.random.happens(self.faults[.lateEvent]) { self.timers[number] = nil }
    }
  }

  /// Returns whether an event concerns a sleeping device.
  ///
  /// Then it is planned for a later time.
  func isAsleep(_ occurrence: Occurrence) -> Bool {
    let number: Int
    switch occurrence {
    case .timer(let process, let timer, let slept):
      let device = devices[processes[process].device]
      guard device.slept > slept else { return false }
      agenda.insert(.timer(process: process, number: timer, slept: device.slept), at: now + device.slept - slept)
      return true
    case .take(let device, _), .reconcile(let device, _), .resume(let device), .start(let device), .push(let device, _),
      .mishap(let device, _):
      number = device
    case .journalCall(let process), .journalAnswer(let process, _), .delivery(let process):
      number = processes[process].device
    case .cancel(let operation): number = processes[operations[operation].process].device
    case .answer(let request, _): number = processes[requests[request].process].device
    case .request, .decision: return false
    }
    guard now < devices[number].sleepsUntil else { return false }
    agenda.insert(occurrence, at: devices[number].sleepsUntil)
    return true
  }

  func perform(_ mishap: Fault, of device: Int) {
    switch mishap {
    case .powerFailure: losePower(device)
    case .clockJump:
      let jump = Int64(random.next(below: 86_400)) * World.second
      devices[device].clockError += random.next(below: 2) == 0 ? jump : -jump
    case .suspension:
      guard now >= devices[device].sleepsUntil else { return }
      var time = Int64(1 + random.next(below: random.next(below: 2) == 0 ? 60 : 10_800)) * World.second
      if simulation.mode == .liveness { time = max(0, min(time, 60 * World.second - now)) }
      devices[device].slept += time
      devices[device].sleepsUntil = now + time
    default: if devices[device].owner?.isAlive == true { start(device) }
    }
  }
}
