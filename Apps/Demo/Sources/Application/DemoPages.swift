internal import Coordinators

typealias DemoPage = Page<DemoScreen.Action>

extension Services {
  /// Returns the page of a screen, or the provider that fetches it.
  func content(of screen: DemoScreen) -> ScreenContent<DemoScreen.Action> {
    switch screen {
    case .logIn(let form): .page(form.logInPage)
    case .signUp(let form): .page(form.signUpPage)
    case .notice(let text): .page(DemoPage("Link not opened", [.text(text, role: .alert)]))

    case .words: .remote(RemotePage(WordsDataSource(client: client), title: "Words"))
    case .word(let word): .page(WordScreen(word: word).page)
    case .wordID(let id): .remote(RemotePage(WordProvider(id: id, client: client), title: "Word"))
    case .search(""): .page(SearchScreen(text: "", words: nil).page)
    case .search(let text):
      .remote(
        RemotePage(
          SearchProvider(text: text, client: client), title: "Search", whileLoading: [.form(SearchScreen.form(text))]))
    case .phrases: .remote(RemotePage(PhrasesDataSource(client: client), title: "Phrases"))
    case .phrase(let phrase): .page(PhraseScreen(phrase: phrase).page)
    case .phraseID(let id): .remote(RemotePage(PhraseProvider(id: id, client: client), title: "Phrase"))

    case .stories:
      .remote(RemotePage(StoriesProvider(client: client, session: session), title: "Stories"))
    case .story(let story): .page(StoryDetailScreen(story: story).page)
    case .storyID(let id):
      .remote(RemotePage(StoryProvider(id: id, client: client, session: session), title: "Story"))
    case .messages(let story):
      .remote(RemotePage(MessagesProvider(story: story, client: client, session: session), title: "Messages"))
    case .message(let message): .page(MessageScreen(message: message).page)
    case .messageID(let id):
      .remote(RemotePage(MessageProvider(id: id, client: client, session: session), title: "Message"))
    case .user(let user): .page(UserScreen(user: user).page)
    case .userID(let id): .remote(RemotePage(UserProvider(id: id, client: client), title: "User"))
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
