internal import Coordinators

/// The language of the words and phrases.
private let dutch = "nl"

/// The list of words, with the buttons for search and log-out.
struct WordsScreen {
  var words: [Word]

  var page: DemoPage {
    var page = ListScreen.words("Words", words).page
    page.elements.append(.button(.init(id: "search", "Search", .send(.openSearch), isSearch: true)))
    page.elements.append(.button(.init(id: "log-out", "Log out", .send(.logOut))))
    return page
  }
}

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

/// The search for words: the form and the results.
struct SearchScreen {
  var text: String
  var words: [Word]?
  /// The reason why the search failed.
  var error: ClientError?

  /// The search form.
  ///
  /// It is shown before, during and after a search.
  static func form(_ text: String) -> DemoPage.Form {
    DemoPage.Form(id: "search", submit: "Search", fields: [PageField("text", "Find", kind: .search, value: text)]) {
      .search($0["text"])
    }
  }

  var page: DemoPage {
    var page = DemoPage("Search", [.form(Self.form(text))])
    if let words {
      var found = ListScreen.words("Search", words)
      found.placeholder = "No word contains '\(text)'."
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
