internal import Coordinators

/// The language that is learned.
private let dutch = "nl"

/// The learner's words, as a list with the way to the search and the way out.
struct WordsScreen {
  var words: [Word]

  var page: DemoPage {
    var page = ListScreen.words("Words", words).page
    page.elements.append(.button(.init(id: "search", "Search", .send(.openSearch))))
    page.elements.append(.button(.init(id: "log-out", "Log out", .send(.logOut))))
    return page
  }
}

/// One word.
struct WordScreen {
  var word: Word

  var page: DemoPage {
    var page = DemoPage(
      word.dutch,
      [
        .fact(label: "Dutch", value: word.learned, language: dutch), .fact(label: "English", value: word.english),
        .text(word.example, language: dutch),
      ])
    page.titleLanguage = dutch
    return page
  }
}

/// The search inside the words: what is looked for and, once something is, what was found.
struct SearchScreen {
  var text: String
  var words: [Word]?
  /// Why nothing could be found.
  var error: ClientError?

  /// What to look for: there before anything was found, and when nothing can be, so that nobody types into nothing.
  static func form(_ text: String) -> DemoPage.Form {
    DemoPage.Form(id: "search", submit: "Search", fields: [PageField("text", "Find", kind: .search, value: text)]) {
      .search($0["text"])
    }
  }

  var page: DemoPage {
    var page = DemoPage("Search", [.form(Self.form(text))])
    if let words {
      var found = ListScreen.words("Search", words)
      found.placeholder = "No word has '\(text)' in it."
      page.elements += found.page.elements
    }
    if let error { page.elements += ErrorScreen(title: "Search", error: error).page.elements }
    return page
  }
}

extension ListScreen where Item == Word, Action == DemoScreen.Action {
  fileprivate static func words(_ title: String, _ words: [Word]) -> Self {
    Self(title, items: words) { cell, word in
      cell.title = word.learned
      cell.titleLanguage = dutch
      cell.detail = word.english
    } didSelectItem: { word in
      .selectWord(word)
    }
  }
}

/// The learner's phrases.
struct PhrasesScreen {
  var phrases: [Phrase]

  var page: DemoPage {
    ListScreen("Phrases", items: phrases) { cell, phrase in
      cell.title = phrase.dutch
      cell.titleLanguage = dutch
    } didSelectItem: { phrase in
      DemoScreen.Action.selectPhrase(phrase)
    }.page
  }
}

/// One phrase.
struct PhraseScreen {
  var phrase: Phrase

  var page: DemoPage {
    var page = DemoPage(
      phrase.dutch,
      [
        .fact(label: "Dutch", value: phrase.dutch, language: dutch), .fact(label: "English", value: phrase.english),
      ])
    page.titleLanguage = dutch
    return page
  }
}
