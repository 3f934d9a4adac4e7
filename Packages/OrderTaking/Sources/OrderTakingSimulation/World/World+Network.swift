internal import Futures
internal import OrderTaking
internal import OrderTakingDispatch

struct Request {
  enum Response {
    case taking(Promise<TakingAnswer, HTTPError>)
    case details(Promise<UInt64, HTTPError>)
    case token(Promise<Void, HTTPError>)
  }

  /// Drawn when the request is sent, so that all its copies share it.
  enum Fate { case served, rejected(Int) }

  let process: Int
  let device: Int
  let kind: TakingRequest.Kind
  let order: Int
  let key: IdempotencyKey?
  let fate: Fate
  let response: Response
  var answer: Int?
}

enum Answer {
  case taking(TakingAnswer)
  case details(UInt64)
  case token
  case failure(HTTPError)
}

extension World {
  func send(
    _ kind: TakingRequest.Kind, _ order: Int, key: IdempotencyKey?, from process: SimulatedProcess,
    _ response: Request.Response
  ) {
    checkRequest(kind, order, key, of: process)
    let fate = random.happens(faults[.turnedAway]) ? drawFate(kind) : .served
    let number = add(
      Request(
        process: process.number, device: process.device, kind: kind, order: order, key: key, fate: fate,
        response: response))
    if random.happens(faults[.refusedConnection]) {
      return answer(number, .failure(number % 4 == 0 ? HTTPError(.insecure) : .notConnected))
    }
    guard !random.happens(faults[.lost]) else {
      // The device may not notice the loss.
      return random.next(below: 2) == 0 ? () : answer(number, .failure(.connectionLost))
    }
    for _ in 0...(random.happens(faults[.duplicated]) ? 1 : 0) { plan(.request(number), within: delay()) }
  }

  func refreshToken(for process: SimulatedProcess, _ promise: Promise<Void, HTTPError>) {
    let number = add(
      Request(
        process: process.number, device: process.device, kind: .get, order: 0, key: nil, fate: .served,
        response: .token(promise)))
    // The device may fall asleep while a person logs in.
    if random.happens(faults[.suspension] / 8) { perform(.suspension, of: process.device) }
    guard !random.happens(faults[.lost]) else { return }
    // Without a draw for the status, other worlds stay the same.
    let refusal = HTTPError.status(number % 4 == 0 ? 503 : 401)
    answer(number, random.happens(faults[.turnedAway]) ? .failure(refusal) : .token)
  }

  func serve(_ number: Int) {
    let request = requests[number]
    var reply: Answer
    switch request.fate {
    case .rejected(let status): reply = .failure(.status(status))
    case .served:
      let served = server.handle(request, at: .nanoseconds(now), detailsOf(request.order))
      apply(served.change)
      if let due = served.decisionDue {
        undecided.append(due)
        plan(.decision(undecided.count - 1), within: 15)
      }
      reply = served.answer
    }
    if random.happens(faults[.failedAfterWork]) { reply = .failure(.status(500)) }
    guard !random.happens(faults[.lost]) else {
      return random.next(below: 2) == 0 ? () : answer(number, .failure(.connectionLost))
    }
    answer(number, reply)
  }

  func deliver(_ answer: Answer, to number: Int) {
    let request = requests[number]
    guard processes[request.process].isAlive else { return }
    switch (request.response, answer) {
    case (.taking(let promise), .taking(let answer)): promise.success(answer)
    case (.taking(let promise), .failure(let error)): promise.failure(error)
    case (.details(let promise), .details(let details)): promise.success(details)
    case (.details(let promise), .failure(let error)): promise.failure(error)
    case (.token(let promise), .token): promise.success(())
    case (.token(let promise), .failure(let error)): promise.failure(error)
    default: break
    }
  }

  func apply(_ change: DispatchState.Entry?) {
    guard let change else { return }
    server.state.apply(change)
    guard let push = server.push(of: change) else { return }
    if push.result == .accepted { noteAcceptance(push) }
    note { "server: order \(push.order) for device \(push.device), key \(push.key.low): \(push.result)" }
    guard !random.happens(faults[.lostPush]) else { return }
    let isNamed = server.namesKeysInPushes
    pushes.append(
      PushedResult(order: push.order, key: isNamed ? push.key : nil, result: push.result, cursor: push.cursor))
    plan(.push(device: push.device, number: pushes.count - 1), within: delay())
    guard random.happens(faults[.duplicated]) else { return }
    // A push without a key must not reach another device, which cannot recognise it as foreign.
    let astray = isNamed ? random.next(below: 2) : push.device
    plan(.push(device: astray, number: pushes.count - 1), within: delay())
  }

  private func add(_ request: Request) -> Int {
    requests.append(request)
    let number = requests.count - 1
    // A response that arrives while its request is being cancelled is still received. It is more likely while the journal is
    // busy, so that some worlds have a last response at the end of a fenced operation.
    let isBusy = !processes[request.process].calls.isEmpty
    guard random.happens(isBusy ? faults[.lateEvent] * 8 : faults[.lateEvent]) else { return number }
    let late: @Sendable () -> Void = {
      if let answer = self.requests[number].answer { self.deliver(self.answers[answer], to: number) }
    }
    switch request.response {
    case .taking(let promise): promise.onCancel(late)
    case .details(let promise): promise.onCancel(late)
    case .token(let promise): promise.onCancel(late)
    }
    return number
  }

  private func answer(_ number: Int, _ answer: Answer) {
    answers.append(answer)
    requests[number].answer = answers.count - 1
    plan(.answer(request: number, answer: answers.count - 1), within: delay())
  }

  private func drawFate(_ kind: TakingRequest.Kind) -> Request.Fate {
    .rejected([429, 503, 401, 404, kind == .put ? 400 : 403][random.next(below: 5)])
  }

  private func delay() -> Int { random.happens(faults[.slow]) ? 60 : 1 }
}
