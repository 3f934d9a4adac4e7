internal import Arguments

extension DemoCommand {
  static let snapshot = Command(
    "snapshot",
    abstract: "Capture a web page in a real browser as a picture, HTML or text, or compare two pictures.",
    discussion: """
      The page is a URL or a file. A page from a file has no network access and loads files only from its own folder and below. \
      The page is captured after the load event, when its fonts are loaded and each --wait condition is met.

      The browser is an installed Chromium, Chrome or Edge, or the program in the environment variable WEB_SNAPSHOTTING_BROWSER. \
      It runs pages in a sandbox, which does not work as root. For trusted pages, set WEB_SNAPSHOTTING_SANDBOX=off.

      When a capture to a file fails, the command writes the page as a picture, its HTML and its console output to the folder \
      FILE.failed. After a timeout, this takes up to 10 more seconds for the picture and for the HTML.

      For a page in a file named compare, write ./compare.

      With --json, the command prints one object: page, format (picture, dom or text), bytes, and output (the file) or content \
      (text without a file).

      \(ExitReason.table(
        .timedOut, .cannotSave, .noBrowser, .cannotLoad, .notFound, .crashed))
      """,
    examples: [
      CommandExample("demo snapshot https://example.com", "Write snapshot.png."),
      CommandExample("demo snapshot page.html --full-page -o page.png", "Capture the whole page of a file."),
      CommandExample("demo snapshot page.html --text", "Print the visible text."),
      CommandExample(
        "demo snapshot page.html --wait selector:#chart --selector '#chart'", "Wait for an element and capture it."),
    ],
    output: SnapshotOptions.init
  ) {
    Argument<PageAddress>("page", help: "A URL (http, https) or a file.", completion: .file)
    Option<FilePath?>(
      "output", short: "o", valueName: "file",
      help:
        "Write to this file; '-' is standard output. Default: snapshot.png for a picture, standard output for HTML and text.",
      completion: .file)
    Flag("full-page", help: "Capture the whole page, not only the visible part.")
    Option<String?>("selector", valueName: "css", help: "Capture only the first element that matches.")
    Option<ViewportSize?>(
      "viewport", valueName: "WxH",
      help: "Size of the window; default: \(ViewportSize.usual.defaultValueDescription).")
    Option<[WaitCondition]>(
      "wait", valueName: "condition",
      help: "Wait for 'idle', 'stable', 'selector:CSS' or 'js:EXPRESSION'; can be repeated.")
    Flag("dark", help: "Use the dark colour scheme.")
    Flag("dom", help: "Capture the HTML instead of a picture.")
    Flag("text", help: "Capture the visible text instead of a picture.")
    Option<Seconds?>(
      "timeout", valueName: "seconds", help: "Time limit for loading, and again for capturing; default: 30.")
    CommonOptions.json
    CommonOptions.quiet
  }
  .map(SnapshotAction.capture).subcommands { compare }

  private static let compare = Command(
    "compare",
    abstract: "Compare two pictures, and describe and mark the differences.",
    discussion: """
      Both files are PNG. No browser is needed. A pixel matches when its ΔE (CIE94) is at most (1 - perceptual precision) * 100.

      With --json, the command prints one object: matches, summary and, for a difference, changedPixels, comparedPixels, \
      regions (x, y, width, height) and output (the file).

      \(ExitReason.table(.differs, .unreadable))
      """,
    examples: [
      CommandExample(
        "demo snapshot compare old.png new.png -o diff.png", "Describe the differences and mark them in diff.png."),
      CommandExample(
        "demo snapshot compare old.png new.png --perceptual-precision 0.98",
        "Ignore differences that the eye cannot see."),
    ],
    output: CompareOptions.init
  ) {
    Argument<FilePath>("old", help: "The old picture.", completion: .file)
    Argument<FilePath>("new", help: "The new picture.", completion: .file)
    Option<FilePath?>(
      "output", short: "o", valueName: "file",
      help: "Write the new picture with marked differences to this file; '-' is standard output.",
      completion: .file)
    Option<Share?>(
      "precision", valueName: "share", help: "Minimum share of pixels that must match; default: 1 (all).")
    Option<Share?>(
      "perceptual-precision", valueName: "share",
      help: "Minimum similarity of two matching colours; 0.98 is as exact as the eye; default: 1 (equal).")
    Flag("ignore-antialiasing", help: "Ignore differences in the smoothing of edges.")
    CommonOptions.json
  }
  .map(SnapshotAction.compare)
}
