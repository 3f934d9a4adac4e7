internal import OrderTaking

/// A future event of a world: a plain value without references.
enum Occurrence {
  case take(device: Int, order: Int)
  case reconcile(device: Int, order: Int)
  case cancel(operation: Int)
  case resume(device: Int)
  case start(device: Int)
  /// `slept` is the time for which the device had slept when the timer was started.
  case timer(process: Int, number: Int, slept: Int64)
  case journalCall(process: Int)
  case journalAnswer(process: Int, number: Int)
  case delivery(process: Int)
  case request(Int)
  case answer(request: Int, answer: Int)
  case push(device: Int, number: Int)
  case decision(Int)
  /// A device loses power, sleeps or gets another wall time, or a second process starts.
  case mishap(device: Int, Fault)
}

/// The future events in the order of their times and, at the same time, of their insertion.
struct Agenda {
  struct Entry: Comparable {
    let time: Int64
    let ticket: UInt64
    let occurrence: Occurrence

    static func < (left: Entry, right: Entry) -> Bool {
      left.time != right.time ? left.time < right.time : left.ticket < right.ticket
    }
    static func == (left: Entry, right: Entry) -> Bool { left.ticket == right.ticket }
  }

  private var entries = Heap<Entry>()
  private var lastTicket: UInt64 = 0

  mutating func removeAll() {
    entries.removeAll()
    lastTicket = 0
  }

  mutating func insert(_ occurrence: Occurrence, at time: Int64) {
    lastTicket += 1
    entries.insert(Entry(time: time, ticket: lastTicket, occurrence: occurrence))
  }

  mutating func removeFirst() -> Entry? { entries.popFirst() }
}
