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

  @Test("Wide characters take two columns")
  func wideCharactersTakeTwoColumns() throws {
    let command = Command("鳥", abstract: "東京 東京 東京 東京 東京 東京 東京", output: { (_: String?, _: Bool) in 0 }) {
      Option<String?>("保存", valueName: "場所", help: "保存する場所")
      Flag("とても長い名前のフラグ", help: "長い名前")
    }
    #expect(
      command.help.text(width: 40).hasPrefix(
        """
        OVERVIEW: 東京 東京 東京 東京 東京 東京
                  東京

        USAGE: 鳥 [--保存 <場所>]
               [--とても長い名前のフラグ]

        """))
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
