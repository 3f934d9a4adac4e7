internal import Coordinators

/// The screens of the two apps of the talk *Boundaries in Practice*.
///
/// A screen takes complete content. If only the ID is known, a separate screen fetches the content first.
enum DemoScreen: NavigationScreen, Codable {
  case logIn(LogInForm)
  case signUp(LogInForm)
  case notice(String)

  case words
  case word(Word)
  case wordID(String)
  case search(String)
  case phrases
  case phrase(Phrase)
  case phraseID(String)

  case stories
  case story(Story)
  case storyID(Int)
  case messages(of: Story)
  case message(Message)
  case messageID(Int)
  case user(User)
  case userID(String)

  enum Action: Sendable {
    /// The input of the log-in or sign-up form so far.
    case typeCredentials(name: String, hasPassword: Bool)
    case logIn(Credentials)
    case openSignUp
    case signUp(Credentials)
    case openLogIn
    case logOut

    case selectWord(Word)
    case openSearch
    case search(String)
    case selectPhrase(Phrase)

    case selectStory(Story)
    case selectUser(User)
    case openMessages(Story)
    case selectMessage(Message)
    case openStory(Int)
  }
}

extension DemoScreen {
  /// The form of the log-in or the sign-up.
  var form: LogInForm? {
    switch self {
    case .logIn(let form), .signUp(let form): form
    default: nil
    }
  }

  /// Whether a coordinator owns this kind of screen.
  ///
  /// Always true for an unknown coordinator.
  func belongs(to owner: CoordinatorID) -> Bool {
    switch (owner.name, self) {
    case ("application", .notice), ("log in", .logIn), ("sign up", .signUp): true
    case ("words", .words), ("words", .word), ("words", .wordID), ("search", .search): true
    case ("phrases", .phrases), ("phrases", .phrase), ("phrases", .phraseID): true
    case ("stories", .stories), ("stories", .story), ("stories", .storyID), ("stories", .messages): true
    case ("stories", .message), ("stories", .messageID), ("stories", .user), ("stories", .userID): true
    default: !Self.owners.contains(owner.name)
    }
  }

  private static let owners = [
    "application", "log in", "sign up", "dictionary", "words", "search", "phrases", "stories",
  ]
}

/// The state of the log-in and sign-up forms.
///
/// The password is never stored.
struct LogInForm: Hashable, Codable, Sendable {
  var name = ""
  var problem: String?
  /// The fields whose values were refused.
  var invalidFields: Set<String> = []
  var isBusy = false
  /// Whether a password is typed that was not submitted yet.
  var hasPassword = false

  private enum CodingKeys: CodingKey { case name }

  init(name: String = "", problem: String? = nil, invalidFields: Set<String> = [], isBusy: Bool = false) {
    self.name = name
    self.problem = problem
    self.invalidFields = invalidFields
    self.isBusy = isBusy
  }
}
