internal import Coordinators
internal import Futures

struct WordsDataSource: RemoteContentProviding {
  let client: ContentClient

  func fetchContent() -> Future<[Word], ClientError> { client.get("words") }

  func screen(for content: Result<[Word], ClientError>) -> DemoPage {
    switch content {
    case .success(let words): WordsScreen(words: words).page
    case .failure(let error): ErrorScreen(title: "Words", error: error).page
    }
  }
}

/// Fetches a word by its ID, for example from a link.
struct WordProvider: RemoteContentProviding {
  let id: String
  let client: ContentClient

  func fetchContent() -> Future<Word, ClientError> { client.get("words", id) }

  func screen(for content: Result<Word, ClientError>) -> DemoPage {
    switch content {
    case .success(let word): WordScreen(word: word).page
    case .failure(let error): ErrorScreen(title: "Cannot show the word", error: error).page
    }
  }
}

/// Fetches the words that contain a text.
struct SearchProvider: RemoteContentProviding {
  let text: String
  let client: ContentClient

  func fetchContent() -> Future<[Word], ClientError> {
    client.get("words", query: ["q": text])
  }

  func screen(for content: Result<[Word], ClientError>) -> DemoPage {
    switch content {
    case .success(let words): SearchScreen(text: text, words: words).page
    case .failure(let error): SearchScreen(text: text, error: error).page
    }
  }
}

struct PhrasesDataSource: RemoteContentProviding {
  let client: ContentClient

  func fetchContent() -> Future<[Phrase], ClientError> { client.get("phrases") }

  func screen(for content: Result<[Phrase], ClientError>) -> DemoPage {
    switch content {
    case .success(let phrases): PhrasesScreen(phrases: phrases).page
    case .failure(let error): ErrorScreen(title: "Phrases", error: error).page
    }
  }
}

struct PhraseProvider: RemoteContentProviding {
  let id: String
  let client: ContentClient

  func fetchContent() -> Future<Phrase, ClientError> { client.get("phrases", id) }

  func screen(for content: Result<Phrase, ClientError>) -> DemoPage {
    switch content {
    case .success(let phrase): PhraseScreen(phrase: phrase).page
    case .failure(let error): ErrorScreen(title: "Cannot show the phrase", error: error).page
    }
  }
}
