import Arguments
import Testing

@Suite("Help")
struct HelpTests {
  @Test("The help of a group lists its options, its shared options and its subcommands")
  func helpOfGroup() {
    #expect(
      text("--help") == """
        OVERVIEW: Boundaries, composed: every package at work in one command.

        USAGE: demo [--json] [--quiet] [--seed <number>] [--color <when>] <subcommand>

        OPTIONS:
          -h, --help              Show help information.
          --version               Show the version.
          --generate-completion-script <shell>
                                  Print a completion script and exit. (values: bash,
                                  zsh, fish)

        GLOBAL OPTIONS:
          --json                  Print JSON.
          -q, --quiet             Print results only.
          --seed <number>         Where chance starts.
          --color <when>          When to use colour. (values: auto, always, never;
                                  default: auto)

        SUBCOMMANDS:
          birds                   Load the birds over HTTP and show them.
          order                   Work with orders.
          snapshot                Work with snapshots.
          open                    Follow a link.
          tour                    Show everything.

          See 'demo help <subcommand>' for detailed help.

        """)
  }

  @Test("The help of a command lists its arguments, its options, its inherited options and its examples")
  func helpOfCommand() {
    #expect(
      text("birds --help") == """
        OVERVIEW: Load the birds over HTTP and show them.

        USAGE: demo birds [--server <url>] [--save <dir>]

        OPTIONS:
          --server <url>          Ask this server instead of starting one.
          -s, --save <dir>        Write each picture here.
          -h, --help              Show help information.
          --version               Show the version.

        GLOBAL OPTIONS:
          --json                  Print JSON.
          -q, --quiet             Print results only.
          --seed <number>         Where chance starts.
          --color <when>          When to use colour. (values: auto, always, never;
                                  default: auto)

        EXAMPLES:
          demo birds --save pictures
              Keep the pictures in a directory.
          demo birds --json

        """)
  }

  @Test("A list in a discussion keeps its indentation when its lines wrap")
  func wrappedListKeepsIndentation() {
    let command = Command(
      "fetch",
      discussion: """
        Ends with a  code:
            0  fine
          130  stopped before all that was
               asked for
          at the end of two words
        """, output: { 0 }
    ) {}
    let lines = command.help.text(width: 24).split(separator: "\n", omittingEmptySubsequences: false).prefix(8)
    #expect(
      lines == [
        "Ends with a code:", "    0  fine", "  130  stopped before", "       all that was", "       asked for",
        "  at the end of two", "  words", "",
      ])
  }

  @Test("Help wraps to the given width, and a narrow help places labels above their text")
  func narrowHelpPlacesLabelsAboveText() {
    #expect(
      text("help snapshot compare", width: 40)?.split(separator: "GLOBAL OPTIONS").first.map(String.init) == """
        OVERVIEW: Compare two pictures.

        USAGE: demo snapshot compare
               --output <file> <reference>
               <candidate>

        ARGUMENTS:
          <reference>
                The picture as it should be.
          <candidate>
                The picture as it is.

        OPTIONS:
          -o, --output <file>
                Where to write the difference.
          -h, --help
                Show help information.
          --version
                Show the version.


        """)
  }

  @Test("No line of help is wider than the given width", arguments: [40, 41, 59, 60, 61, 80, 200])
  func helpKeepsToWidth(_ width: Int) throws {
    for line in ["", "birds -h", "order take -h", "help snapshot compare", "tour -h"] {
      let help = try #require(text(line, width: width))
      #expect(help.split(separator: "\n").allSatisfy { $0.count <= width }, "\(help)")
      #expect(!help.split(separator: "\n").contains { $0.last == " " })
    }
  }

  @Test("Help shows repetition, defaults and the discussion")
  func helpShowsDetails() {
    let command = Command(
      "all", abstract: "All of it.", discussion: "First line.\n\nSecond paragraph.",
      output: { (pictures: Bool, tags: [String], files: [String]) in pictures }
    ) {
      Flag("pictures", short: "p", help: "Draw.")
      Option<[String]>("tag", default: ["a", "b"], help: "A tag.")
      Argument<[String]>("file")
    }
    #expect(
      command.help.text(width: 70) == """
        OVERVIEW: All of it.

        First line.

        Second paragraph.

        USAGE: all [--pictures] [--tag <tag> ...] [<file> ...]

        ARGUMENTS:
          <file>

        OPTIONS:
          -p, --pictures          Draw.
          --tag <tag>             A tag. (default: a, b)
          -h, --help              Show help information.
          --generate-completion-script <shell>
                                  Print a completion script and exit. (values:
                                  bash, zsh, fish)

        """)
  }
}
