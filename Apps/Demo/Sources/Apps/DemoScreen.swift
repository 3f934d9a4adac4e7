internal import Coordinators
internal import Futures
internal import FuturesNetworking

typealias DemoPage = Page<DemoScreen.Action>
typealias DemoContext<Output: Sendable> = CoordinatorContext<DemoScreen, Output>

/// An app of the talk *Boundaries in Practice*.
enum Home: String, Sendable, Codable {
  case stories, dictionary
}

/// The screens of both apps; most of them are also the targets of links.
///
/// A screen knows only the ID of its content, and its page fetches the content.
enum DemoScreen: NavigationScreen, Codable {
  case logIn(LogInForm)
  case signUp(LogInForm)

  case words
  case word(String)
  case search(String)
  case phrases
  case phrase(String)

  case stories
  case story(Int)
  case messages(of: Int, title: String)
  case message(Int)
  case user(String)

  enum Action: Sendable {
    case open(DemoScreen)
    case search(String)
    case openLogIn
    case openSignUp
    case submit(Credentials)
    case logOut
  }
}

extension DemoScreen {
  static let links = Links<DemoScreen>(scheme: "boundaries") {
    Link("stories", to: .stories)
    Link("stories/:id", .int, to: DemoScreen.story, from: { if case .story(let id) = $0 { id } else { nil } })
    Link("messages/:id", .int, to: DemoScreen.message, from: { if case .message(let id) = $0 { id } else { nil } })
    Link("users/:id", .string, to: DemoScreen.user, from: { if case .user(let id) = $0 { id } else { nil } })
    Link("words", to: .words)
    Link(
      "words/search?q=:text", .string, to: DemoScreen.search,
      from: { if case .search(let text) = $0 { text } else { nil } })
    Link("words/:id", .string, to: DemoScreen.word, from: { if case .word(let id) = $0 { id } else { nil } })
    Link("phrases", to: .phrases)
    Link("phrases/:id", .string, to: DemoScreen.phrase, from: { if case .phrase(let id) = $0 { id } else { nil } })
  }

  /// The app that shows the screen of a link.
  var home: Home {
    switch self {
    case .logIn, .signUp, .words, .word, .search, .phrases, .phrase: .dictionary
    case .stories, .story, .messages, .message, .user: .stories
    }
  }

  /// The navigation of a link: the screen, and the screens below it.
  var target: Node<DemoScreen> {
    let dictionary = CoordinatorID("dictionary")
    let words = Node.screen(DemoScreen.words)
    let phrases = Node.screen(DemoScreen.phrases)
    func tabs(_ selected: TabKey, words: [Node<DemoScreen>], phrases: [Node<DemoScreen>])
      -> Node<DemoScreen>
    {
      .tabs(
        [
          .tab("words", .stack(words).owned(by: dictionary.child("words"))),
          .tab("phrases", .stack(phrases).owned(by: dictionary.child("phrases"))),
        ], selected: selected
      ).owned(by: dictionary)
    }
    let this = Node.screen(self)
    return switch self {
    case .logIn, .signUp, .words: tabs("words", words: [words], phrases: [phrases])
    case .word: tabs("words", words: [words, this], phrases: [phrases])
    case .search:
      tabs(
        "words", words: [words, this.owned(by: dictionary.child("words").child("search"))], phrases: [phrases])
    case .phrases: tabs("phrases", words: [words], phrases: [phrases])
    case .phrase: tabs("phrases", words: [words], phrases: [phrases, this])
    case .stories: .stack([this]).owned(by: "stories")
    case .story, .messages, .message, .user: .stack([.screen(.stories), this]).owned(by: "stories")
    }
  }
}

/// The dependencies of the coordinators and the pages of one app.
@MainActor
final class Services {
  let client: ContentClient
  /// The session of the user; `nil` when logged out.
  var session: Session?
  /// The screen of a link that waits for a log-in.
  var waitingLink: DemoScreen?

  init(client: ContentClient, session: Session? = nil) {
    self.client = client
    self.session = session
  }

  /// Ends the session here and at the server, whose response is ignored.
  func logOut<Output>(in context: DemoContext<Output>) {
    if let session { context.track(client.logOut(session)) }
    session = nil
  }

  /// Returns the page of a screen, which fetches its content.
  func page(of screen: DemoScreen) -> DemoPage {
    let (client, session) = (client, session)
    return switch screen {
    case .logIn(let form): .logIn(form)
    case .signUp(let form): .signUp(form)
    case .words: .fetch("Words", client.get("words")) { .words($0) }
    case .word(let id): .fetch("Word", client.get("words", id)) { .word($0) }
    case .search(""): .search("", [])
    case .search(let text):
      .fetch("Search", client.get("words", search: text), around: [.searchForm(text)]) { .search(text, $0) }
    case .phrases: .fetch("Phrases", client.get("phrases")) { .phrases($0) }
    case .phrase(let id): .fetch("Phrase", client.get("phrases", id)) { .phrase($0) }
    case .stories:
      .fetch("Stories", client.get("stories", as: session)) { .stories($0, isLoggedIn: session != nil) }
    case .story(let id): .fetch("Story", client.get("stories", "\(id)", as: session)) { .story($0) }
    case .messages(let story, let title):
      .fetch("Messages", client.get("stories", "\(story)", "messages", as: session)) { .messages($0, of: title) }
    case .message(let id): .fetch("Message", client.get("messages", "\(id)", as: session)) { .message($0) }
    case .user(let id): .fetch("User", client.get("users", id)) { .user($0) }
    }
  }
}

private struct Fetch<Content: Sendable>: RemoteContentProviding {
  let title: String
  let elements: [DemoPage.Element]
  let fetch: @Sendable () -> Future<Content, NetworkError>
  let page: @Sendable (Content) -> DemoPage

  func fetchContent() -> Future<Content, NetworkError> { fetch() }

  func presentation(for content: Result<Content, NetworkError>) -> DemoPage {
    switch content {
    case .success(let content): return page(content)
    case .failure(let error):
      guard error.isUnauthorized else { return DemoPage(title, elements + [.text("\(error)", role: .alert)]) }
      return DemoPage(
        title,
        elements + [
          .text("Log in to see this content.", role: .alert),
          .button(.init(id: "log-in", "Log in", .send(.openLogIn))),
        ])
    }
  }
}

extension DemoPage {
  /// Returns the page of content that a request fetches.
  ///
  /// - Parameters:
  ///   - title: The title until the content has arrived.
  ///   - request: Sends the request.
  ///   - elements: The elements to show while the request is in flight, and with its error.
  ///   - page: Makes the page of the content.
  @MainActor
  fileprivate static func fetch<Content>(
    _ title: String, _ request: @escaping @autoclosure @Sendable () -> Future<Content, NetworkError>,
    around elements: [Element] = [], _ page: @escaping @Sendable (Content) -> DemoPage
  ) -> DemoPage {
    .remote(
      Fetch(title: title, elements: elements, fetch: request, page: page), title: title, whileLoading: elements)
  }
}
