import Arguments
import Foundation
import Testing

#if os(macOS) || os(Linux)
  @Suite("Completions")
  struct CompletionTests {
    private func script(_ shell: String) throws -> String {
      try #require(text("--generate-completion-script \(shell)"))
    }

    @Test(
      "--generate-completion-script prints a script that calls the command with the name of the shell",
      arguments: ["bash", "zsh", "fish"])
    func optionPrintsTheScript(shell: String) throws {
      #expect(try script(shell).contains("---complete \(shell)"))
    }

    @Test(
      "The completions are those of the word at the cursor",
      arguments: [
        (["demo", ""], ["birds", "order", "snapshot", "open", "tour", "help"]),
        (["demo", "o"], ["order", "open"]),
        (["demo", "--json", "o"], ["order", "open"]),
        (["demo", "--color", "never", "b"], ["birds"]),
        (["demo", "--color", "=", "never", "b"], ["birds"]),
        (["demo", "order", ""], ["take", "help"]),
        (["demo", "help", "o"], ["order", "open"]),
        (["demo", "help", "order", ""], ["take", "help"]),
        (["demo", "--help", "o"], ["order", "open"]),
        (["demo", "birds", "--s"], ["--server", "--save", "--seed"]),
        (
          ["demo", "birds", "-"],
          [
            "--server", "-s", "--save", "--json", "-q", "--quiet", "--seed", "--color", "-h", "--help", "--version",
          ]
        ),
        (["demo", "tour", "--p"], ["--pictures"]),
        (["demo", "birds", "--color", "a"], ["auto", "always"]),
        (["demo", "birds", "--color", "=", "a"], ["auto", "always"]),
        (["demo", "birds", "--color=a"], ["auto", "always"]),
        (["demo", "birds", "--color", "="], ["auto", "always", "never"]),
        (["demo", "birds", "--server", "b"], []),
        (["demo", "birds", "--json=x"], []),
        (["demo", "open", "--", "-"], []),
        (["demo", "--generate-completion-script", ""], ["bash", "zsh", "fish"]),
        (["demo", "snapshot", "compare", ""], ["<files>"]),
        (["demo", "snapshot", "compare", "x", ""], ["<files>"]),
        (["demo", "snapshot", "compare", "x", "y", ""], []),
        (["demo", "snapshot", "compare", "-o", ""], ["<files>"]),
        (["demo", "birds", "-s", ""], ["<directories>"]),
        (["demo", "birds", "-qs", ""], ["<directories>"]),
        (["demo", "nothing", "o"], ["order", "open"]),
      ])
    func completionsOfTheWordAtTheCursor(words: [String], expected: [String]) {
      let offered = offers(of: demo, after: words)
      #expect(Set(offered) == Set(expected) && offered.count == expected.count, "\(offered)")
    }

    /// Returns the completions that Bash shows for the last word, with a mark for paths.
    private func offers<Output>(of command: Command<Output>, after words: [String]) -> [String] {
      let lines = answer(of: command, to: ["bash"] + words.dropFirst()).split(separator: "\n").map(String.init)
      let last = words.last?.split(separator: "=").last.map(String.init) ?? ""
      let prefix = words.last?.hasSuffix("=") == true ? "" : last
      return lines.dropFirst().filter { $0.hasPrefix(prefix) }
        + lines.prefix(1).filter { $0 != "none" }.map { "<\($0)>" }
    }

    private func answer<Output>(of command: Command<Output>, to request: [String]) -> String {
      guard case .failure(.completionScript(let text)) = command.parse(["---complete"] + request) else { return "" }
      return text
    }

    @Test("The Z shell and fish receive descriptions in their own formats")
    func descriptionsHaveTheFormatOfTheShell() {
      let command = Command("a", output: { (host: String?, _: Bool) in host }) {
        Option<String?>("host:port", help: "Where to connect.\nMore.")
        Flag("quiet")
      }
      #expect(
        answer(of: command, to: ["zsh", "-"]).hasPrefix("none\n--host\\:port:Where to connect.\n--quiet\n-h:Show"))
      #expect(
        answer(of: command, to: ["fish", "-"]).hasPrefix("none\n--host:port\tWhere to connect.\n--quiet\n-h\tShow"))
    }

    @Test("Bash loads the script and registers the command")
    func bashRegistersTheCommand() throws {
      let output = try Shell.bash.run(script("bash") + "\ncomplete -p demo\n")
      #expect(output == "complete -F _demo_completions demo\n")
    }

    @Test(
      "Bash shows the completions of the program, and paths if the program requests them",
      arguments: [
        ("none", "'' ''", ["it's", "$(echo no)", "`echo no`", "a b", "*", "\\"]), ("none", "x a", ["a b"]),
        ("none", "--x = a", ["a b"]), ("files", "fi", ["file one", "files"]), ("directories", "fi", ["files"]),
      ])
    func bashShowsCompletions(paths: String, typed: String, expected: [String]) throws {
      let words = paths == "none" ? ["it's", "$(echo no)", "`echo no`", "a b", "*", "\\"] : []
      let answer = ([paths] + words).joined(separator: "\n")
      let output = try Shell.bash.run(
        try script("bash") + """

          set -u
          demo() { printf '%s ' "$#" "$@" > request; cat answer; }
          cd "$(mktemp -d)" && mkdir files && touch 'file one'
          cat > answer <<'END'
          \(answer)
          END
          COMP_WORDS=(demo \(typed))
          COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
          _demo_completions
          cat request; echo
          rm -r "$PWD"
          for word in ${COMPREPLY[@]+"${COMPREPLY[@]}"}; do
            [[ '\(paths)' == none ]] && eval "printf '%s\\n' $word" || printf '%s\\n' "$word"
          done
          """)
      let lines = output.split(separator: "\n").map(String.init)
      let count = typed.split(separator: " ").count + 2
      #expect(lines.first == "\(count) ---complete bash \(typed.replacing("'", with: "")) ", "\(output)")
      #expect(lines.dropFirst().sorted() == expected.sorted())
    }

    @Test(
      "Bash completes quoted words, for a program whose path has a space",
      arguments: [
        (#"a\ "#, #"a\ b"#), (#""a"#, "a b"), (#""a "#, "a b"), ("'a", "a b"), ("'it", "it's"), ("it", #"it\'s"#),
        (#"it\'"#, #"it\'s"#),
      ])
    func bashCompletesQuotedWords(current: String, expected: String) throws {
      let output = try Shell.bash.run(
        try script("bash") + """

          set -u
          cd "$(mktemp -d)" && mkdir 'p q'
          printf '%s\n' '#!/bin/sh' 'printf "%s\n" none "a b" "it'"'"'s"; printf "%s|" "$@" > request' > 'p q/demo'
          chmod +x 'p q/demo'
          IFS= read -r current <<'END'
          \(current)
          END
          COMP_WORDS=('p\\ q/demo' '"one two"' 'three\\ four' "$current")
          COMP_CWORD=3
          _demo_completions
          cat request; echo
          rm -r "$PWD"
          printf '%s\n' ${COMPREPLY[@]+"${COMPREPLY[@]}"}
          """)
      let lines = output.split(separator: "\n").map(String.init)
      #expect(lines.first?.hasPrefix("---complete|bash|one two|three four|") == true, "\(output)")
      #expect(lines.dropFirst() == [expected], "\(output)")
    }

    @Test("Bash shows nothing if the program cannot be called")
    func missingProgramShowsNothing() throws {
      let script =
        try script("bash") + "\nCOMP_WORDS=(~/none/demo '')\nCOMP_CWORD=1\n_demo_completions\n"
      #expect(try Shell.bash.run(script + "echo ${#COMPREPLY[@]}") == "0\n")
    }

    @Test("Bash accepts the syntax of its script, and so do the Z shell and fish when installed")
    func shellsAcceptTheSyntax() throws {
      for (name, shell) in [("bash", Shell.bash), ("zsh", .zsh), ("fish", .fish)] where shell.isInstalled {
        #expect(try shell.run(script(name), arguments: ["-n"]) == "")
      }
    }
  }

  /// A shell that reads a script from a temporary file.
  struct Shell {
    let path: String?

    init(_ name: String) {
      path = ["/bin/", "/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].map { $0 + name }
        .first(where: FileManager.default.isExecutableFile(atPath:))
    }

    static let bash = Shell("bash")
    static let zsh = Shell("zsh")
    static let fish = Shell("fish")

    var isInstalled: Bool { path != nil }

    /// Returns everything that the script prints, including errors.
    func run(_ script: String, arguments: [String] = []) throws -> String {
      let file = FileManager.default.temporaryDirectory.appending(path: "completion-\(UUID().uuidString)")
      try script.write(to: file, atomically: true, encoding: .utf8)
      defer { try? FileManager.default.removeItem(at: file) }
      let words = [try #require(path)] + arguments + [file.path]
      // Not `Process`: on Linux its notification of a child's end can be lost while many descriptors are open.
      let stream = try #require(popen(words.map { "'\($0)'" }.joined(separator: " ") + " 2>&1", "r"))
      defer { pclose(stream) }
      var bytes: [UInt8] = []
      var chunk = [UInt8](repeating: 0, count: 4_096)
      while case let count = fread(&chunk, 1, chunk.count, stream), count > 0 { bytes += chunk[..<count] }
      return String(decoding: bytes, as: UTF8.self)
    }
  }
#endif
