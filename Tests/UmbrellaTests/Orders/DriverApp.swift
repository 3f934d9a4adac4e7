import Boundaries
import CoordinatorsTerminal
import Terminal

/// The screens of an app in which a driver takes orders.
enum DriverScreen: NavigationScreen {
  case offers, offer(String), taking(String), taken(AcceptedOrder<String, String>), notTaken(String, OrderTakingFailure)

  enum Action: Sendable { case select(String), take(String), giveUp, backToOffers }

  /// The page of this screen, complete because coordinators fetch its content first.
  func page(offers: [String]) -> Page<Action> {
    let back = Page<Action>.Element.button(.init(id: "offers", "Back to the offers", .send(.backToOffers)))
    switch self {
    case .offers:
      return Page("Offers", offers.map { .row(.init(id: $0, ListCell("Order \($0)"), .select($0))) })
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

/// Shows the offers, and the outcome of taking one.
@MainActor
final class OffersCoordinator: Coordinator {
  let context: CoordinatorContext<DriverScreen, Never>
  private let taker: OrderTaker<String, String>

  init(_ context: CoordinatorContext<DriverScreen, Never>, taker: OrderTaker<String, String>) {
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
      if let root = context.navigation?.root.id { context.apply(.popToRoot(of: root)) }
    case .giveUp: break
    }
  }
}

/// Takes one order while its screen is open, and finishes with the outcome.
@MainActor
final class TakingCoordinator: Coordinator {
  let context: CoordinatorContext<DriverScreen, Result<AcceptedOrder<String, String>, OrderTakingFailure>>
  private let order: String
  private let taker: OrderTaker<String, String>
  private var operation: Future<AcceptedOrder<String, String>, OrderTakingFailure>?

  init(
    _ context: CoordinatorContext<DriverScreen, Result<AcceptedOrder<String, String>, OrderTakingFailure>>,
    _ order: String,
    taker: OrderTaker<String, String>
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
  /// The driver's app on a screen of 44 columns.
  static func driver(offers: [String], taker: OrderTaker<String, String>) -> TerminalApp {
    TerminalApp(start: { OffersCoordinator($0, taker: taker) }, size: TerminalSize(columns: 44, rows: 10)) {
      $0.page(offers: offers)
    }
  }
}
