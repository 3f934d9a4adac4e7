import Boundaries
import CoordinatorsTerminal
import Terminal

enum DriverScreen: NavigationScreen {
  case offers, offer(OrderID), taking(OrderID), taken(AcceptedOrder<String>), notTaken(OrderID, OrderTakingFailure)

  enum Action: Sendable { case select(OrderID), take(OrderID), giveUp, backToOffers }

  /// The page of this screen, complete because coordinators fetch its content first.
  func page(offers: [OrderID]) -> Page<Action> {
    let back = Page<Action>.Element.button(.init(id: "offers", "Back to the offers", .send(.backToOffers)))
    switch self {
    case .offers:
      return Page("Offers", offers.map { .row(id: $0.text, "Order \($0)", .select($0)) })
    case .offer(let order):
      return Page(
        "Order \(order)",
        [.text("Nobody has it yet."), .button(.init(id: "take", "Take it", .send(.take(order))))])
    case .taking(let order):
      return Page(
        "Order \(order)",
        [.text("Asking for it…", role: .note), .button(.init(id: "give-up", "Give up", .send(.giveUp)))])
    case .taken(let accepted):
      return Page("Order \(accepted.order)", [.text("It is yours."), .text(accepted.details ?? ""), back])
    case .notTaken(let order, let failure):
      return Page("Order \(order)", [.text("\(failure.kind): \(failure.reason)", role: .alert), back])
    }
  }
}

@MainActor
final class OffersCoordinator: Coordinator {
  let context: CoordinatorContext<DriverScreen, Never>
  private let taker: OrderTaker<String>

  init(_ context: CoordinatorContext<DriverScreen, Never>, taker: OrderTaker<String>) {
    (self.context, self.taker) = (context, taker)
  }

  func start() { context.push(.screen(.offers)) }

  func receive(_ action: DriverScreen.Action, from node: Node<DriverScreen>) {
    switch action {
    case .select(let order): context.push(.screen(.offer(order)))
    case .take(let order):
      context.startChild("taking", .modal) {
        TakingCoordinator($0, order, taker: self.taker)
      } then: { [context] result in
        switch result {
        case .finished(.success(let accepted)): context.push(.screen(.taken(accepted)))
        case .finished(.failure(let failure)): context.push(.screen(.notTaken(order, failure)))
        case .cancelled: break
        }
      }
    case .backToOffers:
      context.popToRoot()
    case .giveUp: break
    }
  }
}

/// Takes one order while its screen is open, and finishes with the outcome.
@MainActor
final class TakingCoordinator: Coordinator {
  let context: CoordinatorContext<DriverScreen, Result<AcceptedOrder<String>, OrderTakingFailure>>
  private let order: OrderID
  private let taker: OrderTaker<String>
  private var operation: Future<AcceptedOrder<String>, OrderTakingFailure>?

  init(
    _ context: CoordinatorContext<DriverScreen, Result<AcceptedOrder<String>, OrderTakingFailure>>,
    _ order: OrderID,
    taker: OrderTaker<String>
  ) {
    (self.context, self.order, self.taker) = (context, order, taker)
  }

  deinit { operation?.cancel() }

  func start() {
    context.push(.screen(.taking(order)))
    operation = context.track(taker.take(order)) { [weak self] in self?.context.finish($0) }
  }

  func receive(_ action: DriverScreen.Action, from node: Node<DriverScreen>) {
    // Not the future, whose cancellation would end the wait before the outcome is known.
    if case .giveUp = action { taker.cancel(order) }
  }
}

extension TerminalApp<DriverScreen> {
  static func driver(offers: [OrderID], taker: OrderTaker<String>) -> TerminalApp {
    TerminalApp(start: { OffersCoordinator($0, taker: taker) }, size: TerminalSize(columns: 44, rows: 10)) {
      $0.page(offers: offers)
    }
  }
}
