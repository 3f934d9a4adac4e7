internal import Arguments

extension DemoCommand {
  static let tour = Command(
    "tour",
    abstract: "Run all packages in less than a minute, and write a report with pictures.",
    discussion: """
      The tour uses real servers, files, processes and a browser. It loads birds, takes orders despite faults and a crash, runs \
      two apps in a terminal and in the browser, finds differences in snapshots, and runs simulations. The report is one page, \
      index.html, in the folder given with -o or in a new temporary folder.

      Ctrl-C ends the tour at any point and removes all temporary files.

      \(ExitReason.table(
        .noBrowser, .crashed, .stationFailed))
      """,
    examples: [
      CommandExample("demo tour", "Run the whole tour."),
      CommandExample("demo tour --fast", "Run the stations that need no browser."),
      CommandExample("demo tour -o report --seed 7", "Write report/index.html, and use another random seed."),
    ],
    output: TourOptions.init
  ) {
    Flag("fast", help: "Skip everything that needs a browser.")
    Option<FolderPath?>(
      "output", short: "o", valueName: "dir", help: "Write the report to this folder.", completion: .directory)
    CommonOptions.seed
    CommonOptions.json
    CommonOptions.quiet
    CommonOptions.color
  }
}
