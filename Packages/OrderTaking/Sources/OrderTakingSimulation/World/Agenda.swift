internal import OrderTaking

/// A future event of a world: a plain value without references.
enum Occurrence {
  /// A driver takes an order.
  case take(device: Int, order: Int)
  /// A driver asks for the outcome of an order.
  case reconcile(device: Int, order: Int)
  /// A driver cancels an operation.
  case cancel(operation: Int)
  /// An app resumes its orders.
  case resume(device: Int)
  /// The app of a device starts.
  case start(device: Int)
  /// A timer fires. `slept` is the time for which the device had slept when the timer was started.
  case timer(process: Int, number: Int, slept: Int64)
  /// A journal performs the first waiting call of a process.
  case journalCall(process: Int)
  /// A process receives the result of a call that its journal has performed.
  case journalAnswer(process: Int, number: Int)
  /// The first completed operation of a process is delivered.
  case delivery(process: Int)
  /// A request reaches the server.
  case request(Int)
  /// A response reaches the device.
  case answer(request: Int, answer: Int)
  /// A push reaches the device.
  case push(device: Int, number: Int)
  /// The server decides about an order.
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
