internal import Coordinators

typealias DemoPage = Page<DemoScreen.Action>

extension Services {
  /// Returns the page of a screen, or the page that fetches its content.
  func page(of screen: DemoScreen) -> DemoPage {
    switch screen {
    case .logIn(let form): form.logInPage
    case .signUp(let form): form.signUpPage
    case .notice(let text): DemoPage("Link not opened", [.text(text, role: .alert)])

    case .words: .remote(WordsDataSource(client: client), title: "Words")
    case .word(let word): WordScreen(word: word).page
    case .wordID(let id): .remote(WordProvider(id: id, client: client), title: "Word")
    case .search(""): SearchScreen(text: "", words: nil).page
    case .search(let text):
      .remote(
        SearchProvider(text: text, client: client), title: "Search", whileLoading: [.form(SearchScreen.form(text))])
    case .phrases: .remote(PhrasesDataSource(client: client), title: "Phrases")
    case .phrase(let phrase): PhraseScreen(phrase: phrase).page
    case .phraseID(let id): .remote(PhraseProvider(id: id, client: client), title: "Phrase")

    case .stories:
      .remote(StoriesProvider(client: client, session: session), title: "Stories")
    case .story(let story): StoryDetailScreen(story: story).page
    case .storyID(let id):
      .remote(StoryProvider(id: id, client: client, session: session), title: "Story")
    case .messages(let story):
      .remote(MessagesProvider(story: story, client: client, session: session), title: "Messages")
    case .message(let message): MessageScreen(message: message).page
    case .messageID(let id):
      .remote(MessageProvider(id: id, client: client, session: session), title: "Message")
    case .user(let user): UserScreen(user: user).page
    case .userID(let id): .remote(UserProvider(id: id, client: client), title: "User")
    }
  }
}

/// The page that replaces content that could not be fetched.
struct ErrorScreen {
  var title: String
  var error: ClientError

  var page: DemoPage {
    var page = DemoPage(title, [.text("\(error)", role: .alert)])
    if error == .logInNeeded { page.elements.append(.button(.init(id: "log-in", "Log in", .send(.openLogIn)))) }
    return page
  }
}
