internal import Arguments

extension DemoCommand {
  /// `demo snapshot`.
  static let snapshot = Command(
    "snapshot",
    abstract: "Take a picture of a web page in a real browser, or its document, or its text; or compare two pictures.",
    discussion: """
      The page is an address or a file. A file has no network, and shows what is in its own folder and below. The picture is \
      taken after the load event, when the page's fonts are there and each --wait is met.

      The browser is Chromium, Chrome or Edge, as found, or what the environment variable WEB_SNAPSHOTTING_BROWSER \
      names. It keeps pages in a sandbox, which root does not get: WEB_SNAPSHOTTING_SANDBOX=off does without, for pages that \
      are trusted.

      When a capture that goes to a file fails, what was there is left in a folder beside it, with .failed after the file's name: \
      the page as a picture and as a document, and its console. Looking at a page that has not answered in time takes up to 10 \
      seconds more for each of the two.

      For a page in a file named compare, write ./compare.

      With --json one object tells what was captured: page, format (picture, dom or text), bytes, and output, the file; or, \
      where a text goes to no file, content, the text itself.

      \(ExitReason.table(
        .timedOut, .cannotSave, .noBrowser, .cannotLoad, .notFound, .crashed))
      """,
    examples: [
      CommandExample("demo snapshot https://example.com", "Write snapshot.png."),
      CommandExample("demo snapshot page.html --full-page -o page.png", "The whole page, of a file."),
      CommandExample("demo snapshot page.html --text", "What can be read on it."),
      CommandExample(
        "demo snapshot page.html --wait selector:#chart --selector '#chart'", "One element, when it is there."),
    ],
    output: SnapshotOptions.init
  ) {
    Argument<PageAddress>("page", help: "An address (http, https) or a file.", completion: .file)
    Option<FilePath?>(
      "output", short: "o", valueName: "file",
      help:
        "Write here; '-' is standard output, and links are followed. A picture goes to snapshot.png, text to standard output, unless said otherwise.",
      completion: .file)
    Flag("full-page", help: "The whole page, not only what the window shows.")
    Option<String?>("selector", valueName: "css", help: "Only the first element that fits.")
    Option<ViewportSize?>(
      "viewport", valueName: "WxH",
      help: "The size of the window; \(ViewportSize.usual.defaultValueDescription) when left out.")
    Option<[WaitCondition]>(
      "wait", valueName: "condition",
      help: "Wait for 'idle', 'stable', 'selector:CSS' or 'js:EXPRESSION'; may be repeated.")
    Flag("dark", help: "Tell the page that dark is preferred.")
    Flag("dom", help: "The document as HTML instead of a picture.")
    Flag("text", help: "The text that can be seen instead of a picture.")
    Option<Seconds?>(
      "timeout", valueName: "seconds", help: "How long loading and capturing may each take; 30 when left out.")
    CommonOptions.json
    CommonOptions.quiet
  }
  .map(SnapshotAction.capture).subcommands { compare }

  /// `demo snapshot compare`.
  private static let compare = Command(
    "compare",
    abstract: "Compare two pictures, say what differs, and mark it.",
    discussion: """
      Both are PNG files; it needs no browser. A pixel matches when its ΔE (CIE94) is at most (1 - perceptual precision) * 100.

      With --json one object tells what came of it: matches, summary and, where they do not match, changedPixels, \
      comparedPixels, regions (each x, y, width, height) and output, the file.

      \(ExitReason.table(.differs, .unreadable))
      """,
    examples: [
      CommandExample("demo snapshot compare old.png new.png -o diff.png", "What differs, in words and marked."),
      CommandExample(
        "demo snapshot compare old.png new.png --perceptual-precision 0.98", "What an eye sees of it."),
    ],
    output: CompareOptions.init
  ) {
    Argument<FilePath>("old", help: "The picture as it was.", completion: .file)
    Argument<FilePath>("new", help: "The picture as it is.", completion: .file)
    Option<FilePath?>(
      "output", short: "o", valueName: "file",
      help: "Write the new picture here, with what differs marked; '-' is standard output, and links are followed.",
      completion: .file)
    Option<Share?>(
      "precision", valueName: "share", help: "The least share of pixels that match; 1 when left out: all of them.")
    Option<Share?>(
      "perceptual-precision", valueName: "share",
      help: "How near a colour has to be; 0.98 is as exact as the eye, 1 when left out: the same.")
    Flag("ignore-antialiasing", help: "Let pass what differs only by the smoothing of edges.")
    CommonOptions.json
  }
  .map(SnapshotAction.compare)
}
