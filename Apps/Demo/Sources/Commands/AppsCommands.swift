internal import Arguments

extension DemoCommand {
  /// `demo dictionary`.
  static let dictionary = Command(
    "dictionary",
    abstract:
      "Learn Dutch words and phrases, in a terminal or in a browser: an app of the talk 'Boundaries in Practice'.",
    discussion: """
      application → (log in | sign up) or dictionary → tabs words / phrases, and a search inside the words. Try the account \
      'ayaka' with the password 'tulp'.

      \(keys)

      \(AppsCommand.exitCodeTable)
      """,
    examples: [
      CommandExample("demo dictionary", "Learn."),
      CommandExample(
        "demo dictionary --script \"'ayaka' tab 'tulp' enter down enter back\"", "Press these keys, print the screen."),
      CommandExample("demo dictionary --web", "Serve it to a browser."),
    ],
    output: { (shared: SharedAppsOptions) in shared.app(.dictionary) }
  ) { sharedOptions }

  /// `demo stories`.
  static let stories = Command(
    "stories",
    abstract:
      "Read a feed of stories, with who sent them and what was said: the other app of 'Boundaries in Practice'.",
    discussion: """
      Stories among friends are shown to who is logged in: the account 'ayaka' with the password 'tulp', or a new one.

      \(keys)

      \(AppsCommand.exitCodeTable)
      """,
    examples: [
      CommandExample("demo stories", "Read."),
      CommandExample("demo stories --script \"down enter back\"", "Press these keys, print the screen."),
      CommandExample("demo stories --state feed.state", "Go on next time where this time ends."),
    ],
    output: { (shared: SharedAppsOptions) in shared.app(.stories) }
  ) { sharedOptions }

  /// `demo open`.
  static let open = Command(
    "open",
    abstract: "Follow a link into one of the two apps, from a cold start.",
    discussion: """
      Links: boundaries://stories, stories/ID, messages/ID, users/NAME, words, words/NAME, words/search?q=TEXT, phrases, \
      phrases/NAME. One that needs a log-in waits for it; one that would take a half-filled sign-up away is turned away, and \
      the screen says why.

      The payload of a push notification is an object in JSON that has the link: {"aps": {…}, "link": "boundaries://stories/104"}. \
      One that is not, or whose link leads nowhere, ends with 64, as such a link does.

      \(AppsCommand.exitCodeTable)
      """,
    examples: [
      CommandExample("demo open boundaries://stories/104", "A story for everybody."),
      CommandExample("demo open boundaries://stories/12345", "A story among friends: log in first."),
      CommandExample("demo open --push payload.json", "What a tap on a notification does."),
    ],
    output: { (link: DemoLink?, push: PushFile?, shared: SharedAppsOptions) throws(ValidationError) in
      let route: DemoRoute
      switch (link, push) {
      case (let link?, nil): route = link.route
      case (nil, let push?): route = try push.route()
      case (nil, nil): throw ValidationError("Give a link, such as boundaries://stories/12345, or --push.")
      case (_?, _?): throw ValidationError("A notification has a link of its own. Give one of them.")
      }
      return shared.app(route.home, at: route)
    }
  ) {
    Argument<DemoLink?>("link", help: "Where to go, such as boundaries://stories/12345.")
    Option<PushFile?>(
      "push", valueName: "file", help: "Go where the payload of a push notification leads; '-' is the standard input.",
      completion: .file)
    sharedOptions
  }

  private static let keys = """
    Arrows move, Enter opens, Esc goes back, Tab goes to the next tab or field, r fetches again, q or Ctrl-C ends.
    """
}

private let sharedOptions = OptionGroup(output: SharedAppsOptions.init) {
  Flag("web", help: "Serve it to a browser, until Ctrl-C.")
  Option<Port?>("port", valueName: "number", help: "Serve it at this port; without it, at a free one.")
  Option<ScriptText?>(
    "script", valueName: "keys", help: "Press these keys without a terminal, and print the screen at the end.")
  CommonOptions.server
  Option<FilePath?>(
    "state", valueName: "file", help: "Go on where an earlier run ended, and keep where this one ends.",
    completion: .file)
  Option<ScreenSize?>(
    "size", valueName: "COLUMNSxROWS",
    help: "The size of a script's screen; \(ScreenSize.usual.defaultValueDescription) when left out.")
  Option<Seconds>("timeout", default: Seconds(10), valueName: "seconds", help: "How long each request may take.")
  CommonOptions.color
}
