import Arguments

enum ColorMode: String, CaseIterable, ExpressibleByArgument, Equatable { case auto, always, never }

struct Shared: Sendable, Equatable {
  var json: Bool
  var quiet: Bool
  var seed: UInt64?
  var color: ColorMode
}

struct Birds: Sendable, Equatable {
  var server: String?
  var save: String?
}

struct Take: Sendable, Equatable {
  var id: String?
  var server: String?
  var push: String?
  var faults: [String]
  var offset: Int
}

struct Compare: Sendable, Equatable {
  var reference: String
  var candidate: String
  var output: String
}

enum Action: Sendable, Equatable {
  case birds(Birds)
  case take(Take)
  case compare(Compare)
  case open(String)
  case tour(fast: Bool, pictures: Bool, verbose: Bool)
}

struct Demo: Sendable, Equatable {
  var action: Action
  var shared: Shared
}

let birds = Command(
  "birds", abstract: "Load the birds over HTTP and show them.",
  examples: [
    CommandExample("demo birds --save pictures", "Keep the pictures in a directory."),
    CommandExample("demo birds --json"),
  ],
  output: Birds.init
) {
  Option<String?>("server", valueName: "url", help: "Ask this server instead of starting one.")
  Option<String?>("save", short: "s", valueName: "dir", help: "Write each picture here.", completion: .directory)
}

let take = Command(
  "take", abstract: "Take one order.", output: Take.init(id:server:push:faults:offset:)
) {
  Argument<String?>("id", help: "The order; one is made up if not said.")
  Option<String?>("server", valueName: "url", help: "The order server.")
  Option<String?>("push", valueName: "host:port", help: "The push server.")
  Option<[String]>("faults", valueName: "spec", help: "A fault to inject; may be given again.")
  Option<Int>("offset", short: "o", default: 0, valueName: "seconds", help: "Shift the clock.")
}

let compare = Command("compare", abstract: "Compare two pictures.", output: Compare.init) {
  Argument<String>("reference", help: "The picture as it should be.", completion: .file)
  Argument<String>("candidate", help: "The picture as it is.", completion: .file)
  Option<String>("output", short: "o", valueName: "file", help: "Where to write the difference.", completion: .file)
}

let open = Command("open", abstract: "Follow a link.", output: { (link: String) in Action.open(link) }) {
  Argument<String>("link", help: "Where to go.")
}

let tour = Command(
  "tour", abstract: "Show everything.", output: { Action.tour(fast: $0, pictures: $1, verbose: $2) }
) {
  Flag("fast", short: "f", help: "Do not wait between the stops.")
  Flag("pictures", short: "p", help: "Draw the pictures.")
  Flag("verbose", short: "v", help: "Say more.")
}

let demo = Command(
  "demo", abstract: "Boundaries, composed: every package at work in one command.", version: "1.2.3",
  output: Demo.init
) {
  OptionGroup(title: "GLOBAL OPTIONS", output: Shared.init) {
    Flag("json", help: "Print JSON.")
    Flag("quiet", short: "q", help: "Print results only.")
    Option<UInt64?>("seed", valueName: "number", help: "Where chance starts.")
    Option<ColorMode>("color", default: .auto, valueName: "when", help: "When to use colour.")
  }
} subcommands: {
  birds.map(Action.birds)
  Command("order", abstract: "Work with orders.") { take.map(Action.take) }
  Command("snapshot", abstract: "Work with snapshots.") { compare.map(Action.compare) }
  open
  tour
}

/// Reads a line split at spaces.
func parse(_ line: String) -> Result<Demo, Interruption> {
  demo.parse(line.split(separator: " ").map(String.init))
}

/// Returns the help or error text of `line` at a width.
func text(_ line: String, width: Int = 80) -> String? {
  guard case .failure(let interruption) = parse(line) else { return nil }
  return interruption.text(width: width)
}

func reason(_ line: String) -> UsageError.Reason? {
  guard case .failure(.usage(let error)) = parse(line) else { return nil }
  return error.reason
}
