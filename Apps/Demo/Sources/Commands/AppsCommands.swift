internal import Arguments

extension DemoCommand {
  static let dictionary = Command(
    "dictionary",
    abstract: "Learn Dutch words and phrases in a terminal or a browser.",
    discussion: """
      This is an app from the talk 'Boundaries in Practice'. Log in with the account 'ayaka' and the password 'tulp', or sign \
      up. The app has two tabs, words and phrases. You can search in the words.

      \(keys)

      \(AppsCommand.exitCodeTable)
      """,
    examples: [
      CommandExample("demo dictionary", "Start the app in the terminal."),
      CommandExample(
        "demo dictionary --script \"'ayaka' tab 'tulp' enter down enter back\"",
        "Press these keys and print the screen."),
      CommandExample("demo dictionary --web", "Serve the app to a browser."),
    ],
    output: { (shared: SharedAppsOptions) in shared.app(.dictionary) }
  ) { sharedOptions }

  static let stories = Command(
    "stories",
    abstract: "Read a feed of stories, their senders and messages in a terminal or a browser.",
    discussion: """
      This is an app from the talk 'Boundaries in Practice'. Stories among friends need a log-in. Use the account 'ayaka' and \
      the password 'tulp', or sign up.

      \(keys)

      \(AppsCommand.exitCodeTable)
      """,
    examples: [
      CommandExample("demo stories", "Start the app in the terminal."),
      CommandExample("demo stories --script \"down enter back\"", "Press these keys and print the screen."),
      CommandExample("demo stories --state feed.state", "Continue where the last run with this file ended."),
    ],
    output: { (shared: SharedAppsOptions) in shared.app(.stories) }
  ) { sharedOptions }

  static let open = Command(
    "open",
    abstract: "Start one of the two apps at a link.",
    discussion: """
      Links: boundaries://stories, stories/ID, messages/ID, users/NAME, words, words/NAME, words/search?q=TEXT, phrases, \
      phrases/NAME. A link that needs a log-in opens after the log-in. A link that would discard a partly filled sign-up form is \
      refused, and the screen shows why.

      The payload of a push notification is a JSON object with a link: {"aps": {…}, "link": "boundaries://stories/104"}. \
      An invalid payload or link ends with exit code 64.

      \(AppsCommand.exitCodeTable)
      """,
    examples: [
      CommandExample("demo open boundaries://stories/104", "Open a public story."),
      CommandExample("demo open boundaries://stories/12345", "Open a story among friends, after the log-in."),
      CommandExample("demo open --push payload.json", "Open the link of a push notification."),
    ],
    output: { (link: DemoLink?, push: PushFile?, shared: SharedAppsOptions) throws(ValidationError) in
      let route: DemoRoute
      switch (link, push) {
      case (let link?, nil): route = link.route
      case (nil, let push?): route = try push.route()
      case (nil, nil): throw ValidationError("Give a link, such as boundaries://stories/12345, or '--push'.")
      case (_?, _?): throw ValidationError("A link and '--push' cannot be used together.")
      }
      return shared.app(route.home, at: route)
    }
  ) {
    Argument<DemoLink?>("link", help: "The link, such as boundaries://stories/12345.")
    Option<PushFile?>(
      "push", valueName: "file", help: "Open the link in this push payload (JSON); '-' reads standard input.",
      completion: .file)
    sharedOptions
  }

  private static let keys = """
    Keys: arrows move, Enter opens, Esc goes back, Tab selects the next tab or field, / searches, r reloads, q or Ctrl-C quits.
    """
}

private let sharedOptions = OptionGroup(output: SharedAppsOptions.init) {
  Flag("web", help: "Serve the app to a browser until Ctrl-C.")
  Option<Port?>("port", valueName: "number", help: "Port for the browser; default: any free port. Only with --web.")
  Option<ScriptText?>(
    "script", valueName: "keys", help: "Press these keys without a terminal and print the last screen. Not with --web.")
  CommonOptions.server
  Option<FilePath?>(
    "state", valueName: "file", help: "Restore the screens from this file, and save them at the end. Not with --web.",
    completion: .file)
  Option<ScreenSize?>(
    "size", valueName: "COLUMNSxROWS",
    help: "Screen size; default: \(ScreenSize.usual.defaultValueDescription). Only with --script.")
  Option<Seconds>("timeout", default: Seconds(10), valueName: "seconds", help: "Time limit for each request.")
  CommonOptions.color
}
