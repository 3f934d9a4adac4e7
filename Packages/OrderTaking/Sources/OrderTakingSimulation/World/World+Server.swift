internal import OrderTaking

// What the server does: it decides who gets an order, and remembers what it has decided.

extension World {
  func serve(_ request: TakingRequest, of index: Int, _ key: UInt64, _ fate: Occurrence.Fate) {
    let running = operations[index]
    let (client, order) = (running.client, running.operation.intent.order)
    let answer: Occurrence.Answer =
      switch fate {
      case .tooMany: .status(429)
      case .unavailable: .status(503)
      case .unauthorized: .status(401)
      case .refused: .status(request.kind == .put ? 400 : 403)
      case .misrouted: .status(404)
      case .served:
        switch request.kind {
        case .put: put(client, order, key)
        case .get: status(client, order, key)
        case .details: details(client, order)
        }
      }
    respond(answer, to: request, of: index)
  }

  private func put(_ client: Int, _ order: Int, _ key: UInt64) -> Occurrence.Answer {
    if let known = taking(client, order, key) {
      switch takings[known].state {
      case .accepted: return honoursKeys ? .accepted : .alreadyTaken
      case .declined: return declined(takings[known])
      case .processing: return random.next(below: 4) == 0 ? .inProgress : .processing
      }
    }
    let isOthers = takingsOfOrder[order].contains { takings[$0].client != client }
    if isOthers && !recordsDeclines { return .alreadyTaken }
    let index = takings.count
    takings.append(Taking(client: client, order: order, key: key, state: .processing))
    takingOfKey[Int(key)] = index
    switch random.next(below: 4) {
    case 0:
      decide(index)
      return takings[index].state == .accepted ? .accepted : declined(takings[index])
    default:
      agenda.plan(.decide(taking: index), at: time(upTo: 15))
      return .processing
    }
  }

  private func declined(_ taking: Taking) -> Occurrence.Answer {
    if takingsOfOrder[taking.order].contains(where: { takings[$0].client != taking.client }) { return .alreadyTaken }
    return random.next(below: 2) == 0 ? .declined : .declinedByError
  }

  private func status(_ client: Int, _ order: Int, _ key: UInt64) -> Occurrence.Answer {
    guard let known = taking(client, order, key) else { return .noSuchTaking }
    switch takings[known].state {
    case .accepted: return .accepted
    case .declined: return declined(takings[known])
    case .processing: return .processing
    }
  }

  private func details(_ client: Int, _ order: Int) -> Occurrence.Answer {
    takingsOfOrder[order].contains { takings[$0].client == client } ? .details(detailsOf(order)) : .status(403)
  }

  /// What the server knows of a wish: by its key, or, when it does not honour keys, by who wants what.
  private func taking(_ client: Int, _ order: Int, _ key: UInt64) -> Int? {
    if honoursKeys { return takingOfKey[Int(key)] == -1 ? nil : takingOfKey[Int(key)] }
    return takings.firstIndex { $0.client == client && $0.order == order }
  }

  /// Gives an order to a driver, or does not; tells it by a push, too.
  func decide(_ index: Int) {
    guard takings[index].state == .processing else { return }
    let taking = takings[index]
    let isOthers = takingsOfOrder[taking.order].contains { takings[$0].client != taking.client }
    if isOthers || random.next(below: 4) == 0 {
      takings[index].state = .declined
    } else {
      takings[index].state = .accepted
      takingsOfOrder[taking.order].append(index)
      if takingsOfOrder[taking.order].count > 1 {
        violate(.oneAcceptance, "order \(taking.order) is accepted twice, for client \(taking.client)")
      }
    }
    tell { "server: order \(taking.order) for client \(taking.client) is \(takings[index].state)" }
    push(takings[index])
  }
}
