internal import Arguments

extension DemoCommand {
  /// `demo tour`.
  static let tour = Command(
    "tour",
    abstract: "See all packages at work, in less than a minute, and write a report with pictures.",
    discussion: """
      Real servers, files, processes and a browser: birds are loaded, an order survives faults and a crash, two apps are shown \
      in a terminal and in the browser, what was changed on purpose is found, and simulated worlds hold what they promise. The \
      report is one page, index.html, in the folder given with -o or in a temporary one.

      Ctrl-C ends it at any point, and leaves nothing behind.

      \(ExitReason.table(
        .noBrowser, .crashed, .stationFailed))
      """,
    examples: [
      CommandExample("demo tour", "All of it."),
      CommandExample("demo tour --fast", "What needs no browser."),
      CommandExample("demo tour -o report --seed 7", "Write report/index.html, with other chances."),
    ],
    output: TourOptions.init
  ) {
    Flag("fast", help: "Leave out what needs a browser.")
    Option<FolderPath?>(
      "output", short: "o", valueName: "dir", help: "Write the report here.", completion: .directory)
    CommonOptions.seed
    CommonOptions.json
    CommonOptions.quiet
    CommonOptions.color
  }
}
