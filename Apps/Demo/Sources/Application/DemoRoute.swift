internal import Coordinators

/// The target of a link.
enum DemoRoute: Hashable, Sendable {
  case stories
  case story(Int)
  case message(Int)
  case user(String)
  case words
  case word(String)
  case search(String)
  case phrases
  case phrase(String)

  static let links = Links<DemoRoute>(scheme: "boundaries") {
    Link("stories", to: .stories)
    Link("stories/:id", .int) {
      DemoRoute.story($0)
    } from: {
      if case .story(let id) = $0 { id } else { nil }
    }
    Link("messages/:id", .int) {
      DemoRoute.message($0)
    } from: {
      if case .message(let id) = $0 { id } else { nil }
    }
    Link("users/:id", .string) {
      DemoRoute.user($0)
    } from: {
      if case .user(let id) = $0 { id } else { nil }
    }
    Link("words", to: .words)
    Link("words/search?q=:text", .string) {
      DemoRoute.search($0)
    } from: {
      if case .search(let text) = $0 { text } else { nil }
    }
    Link("words/:id", wordName) {
      DemoRoute.word($0)
    } from: {
      if case .word(let id) = $0 { id } else { nil }
    }
    Link("phrases", to: .phrases)
    Link("phrases/:id", .string) {
      DemoRoute.phrase($0)
    } from: {
      if case .phrase(let id) = $0 { id } else { nil }
    }
  }

  /// The name of a word.
  ///
  /// 'search' is reserved for the search.
  private static let wordName = LinkValue<String>("the name of a word") {
    $0 == "search" || $0.isEmpty ? nil : $0
  } print: {
    $0 == "search" || $0.isEmpty ? nil : $0
  }

  /// The app that shows this route.
  var home: Home {
    switch self {
    case .stories, .story, .message, .user: .stories
    case .words, .word, .search, .phrases, .phrase: .dictionary
    }
  }

  /// The screens to show.
  var target: Blueprint<DemoScreen> {
    let application = CoordinatorID("application")
    switch self {
    case .stories: return Self.feed(application)
    case .story(let id): return Self.feed(application, .storyID(id))
    case .message(let id): return Self.feed(application, .messageID(id))
    case .user(let id): return Self.feed(application, .userID(id))
    case .words: return Self.tabs(application, "words")
    case .word(let id): return Self.tabs(application, "words", .screen(.wordID(id)))
    case .search(let text):
      let search = application.child("dictionary").child("words").child("search")
      return Self.tabs(application, "words", .screen(.search(text)).owned(by: search))
    case .phrases: return Self.tabs(application, "phrases")
    case .phrase(let id): return Self.tabs(application, "phrases", .screen(.phraseID(id)))
    }
  }

  private static func feed(_ application: CoordinatorID, _ detail: DemoScreen? = nil) -> Blueprint<DemoScreen> {
    .stack([.screen(.stories)] + (detail.map { [.screen($0)] } ?? [])).owned(by: application.child("stories"))
  }

  private static func tabs(
    _ application: CoordinatorID, _ selected: TabKey, _ detail: Blueprint<DemoScreen>? = nil
  ) -> Blueprint<DemoScreen> {
    let dictionary = application.child("dictionary")
    func tab(_ key: TabKey, _ root: DemoScreen) -> Blueprint<DemoScreen>.Tab {
      let top = key == selected ? detail.map { [$0] } ?? [] : []
      return .tab(key, .stack([.screen(root)] + top).owned(by: dictionary.child(key.name)))
    }
    return .tabs([tab("words", .words), tab("phrases", .phrases)], selected: selected).owned(by: dictionary)
  }
}

/// An app of the talk *Boundaries in Practice*.
enum Home: String, Sendable, Codable {
  case stories, dictionary

  /// The first screens after a log-in.
  var start: Blueprint<DemoScreen> {
    switch self {
    case .stories: DemoRoute.stories.target
    case .dictionary: DemoRoute.words.target
    }
  }
}
