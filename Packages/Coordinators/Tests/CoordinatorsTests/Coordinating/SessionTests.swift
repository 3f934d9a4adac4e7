import Coordinators
import Testing

/// Short sessions of the talk's app with every user event.
///
/// After every event a coordinator runs if and only if it has screens, and no other coordinator is in memory.
@MainActor
@Suite("Sessions of the dictionary app")
struct SessionTests {
  enum Event: CaseIterable, Sendable {
    case select, search, logIn, signUp, logOut, swipeBack, dismiss, words, phrases, unwind, lateTap, deepLink

    @MainActor
    func happen(to app: App) {
      switch self {
      case .select: app.act(.select("fiets"))
      case .search: app.act(.search)
      case .logIn: app.act(.logIn("ayaka"))
      case .signUp: app.act(.signUp)
      case .logOut: app.act(.logOut)
      case .swipeBack: app.person { $0.swipeBack() }
      case .dismiss: app.person { $0.dismissModal() }
      case .words: app.person { $0.select("words") }
      case .phrases: app.person { $0.select("phrases") }
      case .unwind: app.apply(.unwind(to: .coordinator("application/dictionary/words")))
      case .lateTap: app.act(.search, from: NodeID(rawValue: 1))
      case .deepLink: app.apply(.show(Self.searchTarget))
      }
    }

    static let searchTarget: Node<DictionaryScreen> = {
      let dictionary = CoordinatorID("application/dictionary")
      let words = dictionary.child("words")
      let stack = Node<DictionaryScreen>.stack(
        [.screen(.words), .screen(.search).owned(by: words.child("search"))])
      let phrases = Node<DictionaryScreen>.stack([.screen(.phrases)]).owned(by: dictionary.child("phrases"))
      return .tabs([.tab("words", stack.owned(by: words)), .tab("phrases", phrases)]).owned(by: dictionary)
    }()
  }

  @Test("the invariants hold after every event of every sequence of two events")
  func invariantsHoldForShortSessions() {
    var count = 0
    func explore(_ events: [Event]) -> Bool {
      let app = App()
      for event in events { event.happen(to: app) }
      count += 1
      let violations = app.violations
      if !violations.isEmpty {
        Issue.record("after \(events): \(violations)")
        return false
      }
      if events.count == (events.first == .logIn ? 3 : 2) { return true }
      return Event.allCases.allSatisfy { explore(events + [$0]) }
    }
    #expect(explore([]))
    #expect(count == 301)
  }
}
