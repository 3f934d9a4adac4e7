internal import Foundation
internal import Futures
internal import FuturesNetworking
internal import FuturesNetworkingCurl
internal import OrderTaking
internal import OrderTakingClients
internal import OrderTakingJournal

/// The process that is killed: all drivers, each with its own journal, until every order has a result.
///
/// It writes the line `ended` as soon as an order has a result.
struct Drivers {
  let folder: String
  let base: URL
  let pushPort: Int
  let plan: Plan

  init(arguments: [String]) throws(SoakOptions.Failure) {
    guard arguments.count == 5, let base = URL(string: "http://127.0.0.1:\(arguments[1])"),
      let pushPort = Int(arguments[2]), let orders = Int(arguments[3]), let clients = Int(arguments[4])
    else {
      throw SoakOptions.Failure(
        description:
          "Cannot read the arguments of drivers: expected FOLDER PORT PUSH-PORT ORDERS CLIENTS. Omit the word drivers to "
          + "start a whole soak test.")
    }
    folder = arguments[0]
    self.base = base
    self.pushPort = pushPort
    plan = Plan(orders: orders, clients: clients)
  }

  func run() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for client in 0..<plan.clients { group.addTask { try await drive(client) } }
      try await group.waitForAll()
    }
  }

  private func drive(_ client: Int) async throws {
    let file = try SQLiteJournal<String>(at: Plan.journal(client, in: folder), server: Plan.server)
    if let recovery = file.recovery {
      throw SoakOptions.Failure(description: "Cannot continue driver \(client). \(recovery)")
    }
    let token = TokenSource(Plan.token(client)) { Future(error: .status(401)) }
    var push = PushConfiguration()
    push.reconnect = .exponential(from: .milliseconds(10), atMost: .milliseconds(200))
    let taker = OrderTaker<String, String>(
      httpClient: .live(at: base, over: .curl(), token: token) { String(decoding: $0, as: UTF8.self) },
      pushClient: .live(
        at: StreamAddress(host: "127.0.0.1", port: pushPort, usesTLS: false), over: .curl(), token: token,
        configuration: push),
      journal: file.journal,
      policy: TakingPolicy(
        delayBeforeFirstGet: .milliseconds(150),
        retries: .exponential(from: .milliseconds(20), atMost: .milliseconds(300)),
        polls: .constant(.milliseconds(50)), attempts: nil, requestTimeout: .seconds(3), deadline: .seconds(20)),
      deliveringOn: immediateExecutionContext)
    let resumed = try await taker.resume().get()
    for order in resumed { order.future.onComplete(immediateExecutionContext) { _ in say("ended") } }
    let announced = Set(resumed.map(\.order))
    // Four at a time.
    try await withThrowingTaskGroup(of: Void.self) { group in
      var rest = plan.orders(of: client)[...]
      for _ in 0..<4 {
        if let number = rest.popFirst() {
          group.addTask { try await finish(Plan.order(number), announced, taker, file.journal) }
        }
      }
      while try await group.next() != nil {
        if let number = rest.popFirst() {
          group.addTask { try await finish(Plan.order(number), announced, taker, file.journal) }
        }
      }
    }
    file.close()
  }

  /// Takes an order until it has a result.
  ///
  /// - Parameter announced: The resumed orders, whose lines are written elsewhere.
  private func finish(
    _ order: String, _ announced: Set<String>, _ taker: OrderTaker<String, String>, _ journal: Journal<String>
  ) async throws {
    while true {
      if let record = try await journal.record(order).get(), record.hasKnownOutcome {
        switch record.checkpoint {
        case .ended(.accepted), .ended(.declined): return
        default: break
        }
      }
      do throws(OrderTakingFailure) {
        _ = try await taker.acceptance(of: order)
      } catch {
        // After any other failure, a driver tries again.
        guard error.kind == .declined else { continue }
      }
      if !announced.contains(order) { say("ended") }
    }
  }

  /// Writes a line in one system call, so that no part of it can be missing.
  @Sendable private func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(1, bytes, bytes.count)
  }
}
