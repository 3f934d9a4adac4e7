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
  let presenter: Presenter<DriverScreen, Never>
  private let taker: OrderTaker<String, String>
  private let work: PendingWork

  init(_ presenter: Presenter<DriverScreen, Never>, taker: OrderTaker<String, String>, work: PendingWork) {
    (self.presenter, self.taker, self.work) = (presenter, taker, work)
  }

  func start() { presenter.push(.screen(.offers)) }

  func receive(_ action: DriverScreen.Action, from node: Node<DriverScreen>) {
    switch action {
    case .select(let order): presenter.push(.screen(.offer(order)))
    case .take(let order):
      presenter.start("taking", .modal) {
        TakingCoordinator($0, order, taker: self.taker, work: self.work)
      } then: { [presenter] result in
        switch result {
        case .finished(.success(let accepted)): presenter.push(.screen(.taken(accepted)))
        case .finished(.failure(let failure)): presenter.push(.screen(.notTaken(order, failure)))
        case .cancelled: break
        }
      }
    case .backToOffers:
      if let root = presenter.navigation?.root.id { presenter.apply(.popToRoot(of: root)) }
    case .giveUp: break
    }
  }
}

/// Takes one order while its screen is open, and finishes with the outcome.
@MainActor
final class TakingCoordinator: Coordinator {
  let presenter: Presenter<DriverScreen, Result<AcceptedOrder<String, String>, OrderTakingFailure>>
  private let order: String
  private let taker: OrderTaker<String, String>
  private let work: PendingWork
  private var operation: Future<AcceptedOrder<String, String>, OrderTakingFailure>?

  init(
    _ presenter: Presenter<DriverScreen, Result<AcceptedOrder<String, String>, OrderTakingFailure>>, _ order: String,
    taker: OrderTaker<String, String>, work: PendingWork
  ) {
    (self.presenter, self.order, self.taker, self.work) = (presenter, order, taker, work)
  }

  deinit { operation?.cancel() }

  func start() {
    presenter.push(.screen(.taking(order)))
    operation = work.track(taker.take(order)) { [weak self] in self?.presenter.finish($0) }
  }

  func receive(_ action: DriverScreen.Action, from node: Node<DriverScreen>) {
    if case .giveUp = action { operation?.cancel() }
  }
}

extension TerminalApp<DriverScreen> {
  /// The driver's app on a screen of 44 columns.
  static func driver(offers: [String], taker: OrderTaker<String, String>) -> (app: TerminalApp, work: PendingWork) {
    let work = PendingWork()
    let app = TerminalApp(
      contents: ScreenContents(work: work) { .page($0.page(offers: offers)) }, work: work,
      size: TerminalSize(columns: 44, rows: 10))
    app.navigator.start("offers") { OffersCoordinator($0, taker: taker, work: work) }
    return (app, work)
  }
}
