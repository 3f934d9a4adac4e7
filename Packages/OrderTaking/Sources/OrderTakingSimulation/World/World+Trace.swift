internal import OrderTaking

extension World {
  func note(_ line: () -> String) {
    guard let trace else { return }
    let milliseconds = String(now / 1_000_000)
    trace("\(String(repeating: " ", count: max(0, 8 - milliseconds.count)))\(milliseconds) ms  \(withoutTypes(line()))")
  }

  /// Returns a line without the names of modules and types, which Swift prints before nested cases.
  private func withoutTypes(_ line: String) -> String {
    let parts = line.split(separator: "OrderTaking.", omittingEmptySubsequences: false)
    return parts.dropFirst().reduce(into: String(parts.first ?? "")) { plain, part in
      var words = part.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
      while words.count > 1, words[0].allSatisfy(\.isLetter) { words.removeFirst() }
      plain += words.joined(separator: ".")
    }
  }

  func describe(_ occurrence: Occurrence) -> String {
    switch occurrence {
    case .take(let device, let order): "device \(device), order \(order): the driver takes it"
    case .reconcile(let device, let order): "device \(device), order \(order): the driver asks for the outcome"
    case .cancel(let operation): "\(name(operation)): the driver cancels"
    case .resume(let device): "device \(device): the app resumes its orders"
    case .start(let device): "device \(device): the app starts"
    case .timer(let process, let number, _): "\(name(processes[process])): timer \(number) is due"
    case .journalCall(let process): "\(name(processes[process])): the journal performs a call"
    case .journalAnswer(let process, _): "\(name(processes[process])): the journal answers a call"
    case .delivery(let process): "\(name(processes[process])): a result is delivered"
    case .request(let number): "\(describe(requests[number])) reaches the server: \(requests[number].fate)"
    case .answer(let request, let answer): "\(describe(requests[request])): \(answers[answer])"
    case .push(let device, let number):
      "device \(device): push \(pushes[number].cursor ?? 0) arrives, order \(pushes[number].order): \(pushes[number].result)"
    case .decision(let number): "server: order \(undecided[number]) is decided"
    case .mishap(let device, let fault): "device \(device): \(fault)"
    }
  }

  private func describe(_ request: Request) -> String {
    if case .token = request.response { return "\(name(processes[request.process])), token" }
    return "\(name(processes[request.process])), order \(request.order), \(request.kind), key \(request.key?.low ?? 0)"
  }

  func name(_ process: SimulatedProcess) -> String { "device \(process.device), process \(process.number)" }

  func name(_ operation: Int) -> String {
    "\(name(processes[operations[operation].process])), order \(operations[operation].order), operation \(operation)"
  }
}
