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
        (["demo", "birds", "--color="], ["auto", "always", "never"]),
        (["demo", "birds", "--server", "b"], []),
        (["demo", "birds", "--json=x"], []),
        (["demo", "open", "--", "-"], []),
        (["demo", "--generate-completion-script", ""], ["bash", "zsh", "fish"]),
        (["demo", "snapshot", "compare", ""], ["<files>"]),
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

    @Test(
      "Bash shows the completions of the program, and paths if the program requests them",
      arguments: [
        ("demo ", "", "|", ["it's", "$(echo no)", "`echo no`", "a b", "*", "\\"]), ("demo x a", "a", "|x|a|", ["a b"]),
        ("demo --x=a", "a", "|--x=a|", ["a b"]), ("demo one\\ two i", "i", "|one two|i|", ["it's"]),
        ("demo files fi", "fi", "|files|fi|", ["file one", "files"]),
        ("demo directories fi", "fi", "|directories|fi|", ["files"]),
      ])
    func bashShowsCompletions(line: String, current: String, request: String, expected: [String]) throws {
      let output = try Bash.run(
        try script("bash") + """

          set -u
          demo() {
            printf '%s|' "$@" > request
            case "$3" in files|directories) echo "$3" ;; *) cat answer ;; esac
          }
          cd "$(mktemp -d)" && mkdir files && touch 'file one'
          printf '%s\\n' none "it's" '$(echo no)' '`echo no`' 'a b' '*' '\\' > answer
          COMP_LINE='\(line)' COMP_POINT=\(line.count) COMP_WORDS=(demo '\(current)') COMP_CWORD=1
          _demo_completions
          cat request; echo
          rm -r "$PWD"
          for word in "${COMPREPLY[@]}"; do
            [[ $COMP_LINE == *fi ]] && printf '%s\\n' "$word" || eval "printf '%s\\\\n' $word"
          done
          """)
      let lines = output.split(separator: "\n").map(String.init)
      #expect(lines.first == "---complete|bash\(request == "|" ? "||" : request)", "\(output)")
      #expect(lines.dropFirst().sorted() == expected.sorted())
    }

  }

  enum Bash {
    /// Returns everything that the script prints, including errors.
    static func run(_ script: String) throws -> String {
      let file = FileManager.default.temporaryDirectory.appending(path: "completion-\(UUID().uuidString)")
      try script.write(to: file, atomically: true, encoding: .utf8)
      defer { try? FileManager.default.removeItem(at: file) }
      // Not `Process`: on Linux its notification of a child's end can be lost while many descriptors are open.
      let stream = try #require(popen("/bin/bash '\(file.path)' 2>&1", "r"))
      defer { pclose(stream) }
      var bytes: [UInt8] = []
      var chunk = [UInt8](repeating: 0, count: 4_096)
      while case let count = fread(&chunk, 1, chunk.count, stream), count > 0 { bytes += chunk[..<count] }
      return String(decoding: bytes, as: UTF8.self)
    }
  }
#endif
