internal import OrderTaking

/// Something that is going to happen in a world: a plain value without references.
enum Occurrence {
  /// A driver wants an order.
  case tap(client: Int, order: Int)
  /// A driver wants to know what became of an order.
  case settle(client: Int, order: Int)
  /// A driver does not want it any more.
  case cancel(operation: Int)
  /// The time of a timer is up.
  case timer(operation: Int, TakingTimer)
  /// A request arrives at the server, where it meets its fate.
  case request(operation: Int, TakingRequest, key: UInt64, Fate)
  /// An answer arrives at the client.
  case answer(operation: Int, TakingRequest, Answer)
  /// A fresh token arrives, or the news that there is none.
  case token(operation: Int, number: UInt32, Bool)
  /// The server makes up its mind about a taking.
  case decide(taking: Int)
  /// A push arrives at a client.
  case push(client: Int, order: Int, key: UInt64, isAccepted: Bool, cursor: UInt64)
  /// A process starts again.
  case restart(client: Int)

  /// What a server does with a request: drawn when it is sent, so that all its copies share it.
  enum Fate {
    case served, tooMany, unavailable, unauthorized, refused
    /// It never comes to the server, but to something else that says 404 to whatever it is asked.
    case misrouted
  }

  /// What a server or the network answers.
  enum Answer {
    case accepted, processing, declined
    case details(UInt64)
    /// A decline that is told by an error, as the deck has it.
    case declinedByError, alreadyTaken
    /// The server's own word that it has taken up no wish of this client.
    case noSuchTaking
    case status(Int)
    case inProgress
    case lost, notConnected
  }
}

/// What is going to happen, in order of time and, at one time, in the order in which it was planned: a 4-ary heap.
struct SimulatedAgenda {
  struct Entry {
    let time: Int64
    let ticket: UInt64
    let occurrence: Occurrence

    func isBefore(_ other: Entry) -> Bool { time != other.time ? time < other.time : ticket < other.ticket }
  }

  private var entries: [Entry] = []
  private var lastTicket: UInt64 = 0

  mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    lastTicket = 0
  }

  mutating func plan(_ occurrence: Occurrence, at time: Int64) {
    lastTicket += 1
    let entry = Entry(time: time, ticket: lastTicket, occurrence: occurrence)
    entries.append(entry)
    var place = entries.count - 1
    while place > 0 {
      let parent = (place - 1) / 4
      guard entry.isBefore(entries[parent]) else { break }
      entries[place] = entries[parent]
      place = parent
    }
    entries[place] = entry
  }

  mutating func takeFirst() -> Entry? {
    guard let first = entries.first else { return nil }
    let last = entries.removeLast()
    guard !entries.isEmpty else { return first }
    var place = 0
    while true {
      let child = 4 * place + 1
      guard child < entries.count else { break }
      var best = child
      for candidate in (child + 1)..<max(child + 1, min(child + 4, entries.count))
      where entries[candidate].isBefore(entries[best]) {
        best = candidate
      }
      guard entries[best].isBefore(last) else { break }
      entries[place] = entries[best]
      place = best
    }
    entries[place] = last
    return first
  }
}
