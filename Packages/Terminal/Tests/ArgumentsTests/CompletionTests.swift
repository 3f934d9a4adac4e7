import Arguments
import Foundation
import Testing

#if os(macOS) || os(Linux)
  @Suite("Completions")
  struct CompletionTests {
    @Test("--generate-completion-script prints the script of each shell", arguments: CompletionShell.allCases)
    func optionPrintsTheScript(shell: CompletionShell) {
      #expect(text("--generate-completion-script \(shell.rawValue)") == demo.completionScript(for: shell))
      #expect(!demo.completionScript(for: shell).isEmpty)
    }

    @Test("Bash loads the script and registers the command")
    func bashRegistersTheCommand() throws {
      let output = try Shell.bash.run(demo.completionScript(for: .bash) + "\ncomplete -p demo\n")
      #expect(output == "complete -F _demo_completions demo\n")
    }

    @Test(
      "Bash completes the word at the cursor",
      arguments: [
        (["demo", ""], ["birds", "order", "snapshot", "open", "tour", "help"]),
        (["demo", "o"], ["order", "open"]),
        (["demo", "--json", "o"], ["order", "open"]),
        (["demo", "--color", "never", "b"], ["birds"]),
        (["demo", "--color", "=", "never", "b"], ["birds"]),
        (["demo", "order", ""], ["take", "help"]),
        (["demo", "help", "o"], ["order", "open"]),
        (["demo", "help", "order", ""], ["take", "help"]),
        (["demo", "birds", "--s"], ["--server", "--save", "--seed"]),
        (
          ["demo", "birds", "-"],
          [
            "--server", "-s", "--save", "--json", "-q", "--quiet", "--seed", "--color", "-h", "--help", "--version",
          ]
        ),
        (["demo", "tour", "--no"], ["--no-pictures"]),
        (["demo", "birds", "--color", "a"], ["auto", "always"]),
        (["demo", "birds", "--color", "=", "a"], ["auto", "always"]),
        (["demo", "birds", "--color", "="], ["auto", "always", "never"]),
        (["demo", "birds", "--server", "b"], []),
        (["demo", "open", "--", "-"], []),
        (["demo", "--generate-completion-script", ""], ["bash", "zsh", "fish"]),
        (["demo", "snapshot", "compare", "fi"], ["file one", "files"]),
        (["demo", "snapshot", "compare", "x", "fi"], ["file one", "files"]),
        (["demo", "snapshot", "compare", "x", "y", "fi"], []),
        (["demo", "snapshot", "compare", "-o", "fi"], ["file one", "files"]),
        (["demo", "birds", "-s", "fi"], ["files"]),
      ])
    func bashCompletesTheWord(words: [String], expected: [String]) throws {
      let offered = try offers(of: demo, after: words)
      #expect(Set(offered) == Set(expected) && offered.count == expected.count, "\(offered)")
    }

    @Test(
      "After an argument of a command that also has subcommands, Bash completes arguments and no subcommands",
      arguments: [
        (["both", "snapshot", ""], ["compare", "cover"]), (["both", "snapshot", "--dark", "c"], ["cover"]),
        (["both", "snapshot", "-o", "x", ""], ["cover"]), (["both", "snapshot", "-ox", ""], ["cover"]),
        (["both", "snapshot", "--out", "=", "x", ""], ["cover"]), (["both", "snapshot", "--out=x", ""], ["cover"]),
        (["both", "snapshot", "--dark", "compare", ""], []),
        (["both", "snapshot", "--dark", "compare", "--d"], ["--dark"]),
        (["both", "snapshot", "--loud", "c"], ["compare", "cover"]),
        (["both", "--loud", "snapshot", ""], ["compare", "cover"]),
        (["both", "help", "snapshot", "--dark", ""], ["compare"]),
        (["both", "snapshot", "cover", ""], []), (["both", "snapshot", "--", ""], ["cover"]),
        (["both", "--", "snapshot", ""], ["cover"]), (["both", "snapshot", "compare", ""], ["cold"]),
        (["both", "snapshot", "cover", "compare", ""], []), (["both", "snapshot", "--", "compare", ""], []),
        (["both", "snapshot", "compare", "--", ""], ["cold"]), (["both", "help", "snapshot", ""], ["compare"]),
        (["both", "help", "--", "snapshot", ""], ["compare"]),
      ])
    func bashCompletesArgumentsOfCommandWithSubcommands(words: [String], expected: [String]) throws {
      let offered = try offers(of: both, after: words)
      #expect(Set(offered) == Set(expected) && offered.count == expected.count, "\(offered)")
    }

    @Test(
      "After an argument of a command that also has subcommands, the Z shell and fish complete arguments and no subcommands"
    )
    func zshAndFishCompleteArgumentsOfCommandWithSubcommands() {
      let zsh = both.completionScript(for: .zsh)
      let condition = "[[ -n $helping || $operands$ended$closed == 0 ]] && "
      #expect(zsh.contains("'both/snapshot') \(condition)described=('compare:') ;;\n"))
      let step = "here='both/snapshot/compare' || operands=$((operands + 1))"
      #expect(zsh.contains("'both/snapshot/compare') \(condition)\(step) ;;\n"))
      let fish = both.completionScript(for: .fish)
      let closing =
        #"'both/snapshot --dark'|'both/snapshot -o'*|'both/snapshot --out'|'both/snapshot --out='*) closed=1 ;;"#
      #expect(zsh.contains(closing))
      #expect(fish.contains(#"-n '__both_at \'both/snapshot\' \'none\' \'help\'' -a '\'compare\''"#))
      #expect(
        fish.contains(
          """
                switch "$here $word"
                  case 'both/snapshot --dark' 'both/snapshot -o*' 'both/snapshot --out' 'both/snapshot --out=*'
                    set closed 1
                end

          """))
      #expect(
        fish.contains(
          """
                  case 'both/snapshot/compare'
                    if test $helping = 1; or test "$operands $ended $closed" = '0 0 0'
                      set here 'both/snapshot/compare'
                    else
                      set operands (math $operands + 1)
                    end

          """))
    }

    /// Returns the completions of Bash for the last word, in a directory with a file and a directory.
    private func offers<Output>(of command: Command<Output>, after words: [String]) throws -> [String] {
      let list = words.map { "'\($0)'" }.joined(separator: " ")
      let output = try Shell.bash.run(
        command.completionScript(for: .bash) + """

          set -u
          cd "$(mktemp -d)" && mkdir files && touch 'file one'
          COMP_WORDS=(\(list))
          COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
          _\(command.name)_completions
          rm -r "$PWD"
          ((${#COMPREPLY[@]})) && printf '%s\\n' "${COMPREPLY[@]}"
          """)
      return output.split(separator: "\n").map(String.init)
    }

    @Test("A shell reads every quoted text of a script literally")
    func shellReadsQuotedTextLiterally() throws {
      let nasty = ["it's", "$(echo no)", "`echo no`", "a b", "*", "\\"]
      let command = Command("nasty", output: { (word: String?) in word }) {
        Option<String?>("word", help: "It's $HOME: `nothing` [runs].", completion: .list(nasty))
      }
      let output = try Shell.bash.run(
        command.completionScript(for: .bash) + """

          COMP_WORDS=(nasty --word '')
          COMP_CWORD=2
          _nasty_completions
          for word in "${COMPREPLY[@]}"; do eval "printf '%s\\n' $word"; done
          """)
      #expect(output.split(separator: "\n").map(String.init) == nasty)
    }

    @Test("Bash accepts the syntax of its script, and so do the Z shell and fish when installed")
    func shellsAcceptTheSyntax() throws {
      for (shell, kind) in [(Shell.bash, CompletionShell.bash), (.zsh, .zsh), (.fish, .fish)] where shell.isInstalled {
        #expect(try shell.run(demo.completionScript(for: kind), arguments: ["-n"]) == "")
        #expect(try shell.run(both.completionScript(for: kind), arguments: ["-n"]) == "")
      }
    }

    @Test("The Z shell's script matches its reference")
    func zshScript() {
      #expect(
        small.completionScript(for: .zsh) == #"""
          #compdef small
          # Zsh completion for 'small'. Save this file as '_small' in a directory of $fpath.

          _small() {
            local here='small' pending='' ended='' closed='' helping='' word=''
            local -i index operands=0
            local -a described

            for ((index = 2; index < CURRENT; index++)); do
              word="${(Q)words[index]}"
              if [[ -n $pending ]]; then
                pending=''
              elif [[ -z $ended && $word == '--' ]]; then
                ended=1
              elif [[ -z $ended && $word == -?* ]]; then
                case "$here $word" in
                  'small -c') pending="$word" ;;
                  'small --color') pending="$word" ;;
                  'small --generate-completion-script') pending="$word" ;;
                  'small/show --into') pending="$word" ;;
                  'small/show -c') pending="$word" ;;
                  'small/show --color') pending="$word" ;;
                esac
              else
                case "$here/$word" in
                  'small/show') here='small/show' ;;
                  'small/help') helping=1 ;;
                  *) operands=$((operands + 1)) ;;
                esac
              fi
            done

            if [[ -z $pending && -z $ended && "${words[CURRENT]}" == --*=* ]]; then
              pending="${words[CURRENT]%%=*}"
              compset -P '*='
            fi

            if [[ -n $pending ]]; then
              case "$here $pending" in
                'small -c'|'small --color') compadd -- 'auto' 'always' 'never' ;;
                'small --generate-completion-script') compadd -- 'bash' 'zsh' 'fish' ;;
                'small/show --into') _files -/ ;;
                'small/show -c'|'small/show --color') compadd -- 'auto' 'always' 'never' ;;
              esac
            elif [[ -z $ended && -z $helping && "${words[CURRENT]}" == -* ]]; then
              case "$here" in
                'small') described=('-c:It'\''s colour.' '--color:It'\''s colour.' '-h:Show help information.' '--help:Show help information.' '--generate-completion-script:Print a completion script and exit.') ;;
                'small/show') described=('--into:' '-c:It'\''s colour.' '--color:It'\''s colour.' '-h:Show help information.' '--help:Show help information.') ;;
              esac
              _describe -o 'option' described
            else
              case "$here" in
                'small') described=('show:Show a file.' 'help:Show help for a subcommand.') ;;
              esac
              (( ${#described} )) && _describe 'subcommand' described
              if [[ -z $helping ]]; then
                case "$here $operands" in
                  'small/show '0) _files ;;
                esac
              fi
            fi
          }

          if [[ "${funcstack[1]}" == '_small' ]]; then
            _small "$@"
          else
            compdef _small 'small'
          fi

          """#)
    }

    @Test("The script for fish matches its reference")
    func fishScript() {
      #expect(
        small.completionScript(for: .fish) == #"""
          # Fish completion for 'small'. Save this file as ~/.config/fish/completions/small.fish.

          # Succeeds if the words before the cursor select the command $argv[1] and, unless $argv[2] is empty, hold
          # $argv[2] operands. 'none' means that a subcommand name may follow: no operand, no '--', no own option of the command.
          # After 'help' only the command counts, and $argv[3] must be 'help'.
          function __small_at
            set -l here 'small'
            set -l operands 0
            set -l pending 0
            set -l ended 0
            set -l closed 0
            set -l helping 0
            set -l typed (commandline -opc)
            for word in $typed[2..-1]
              if test $pending = 1
                set pending 0
              else if test $ended = 0; and test "$word" = --
                set ended 1
              else if test $ended = 0; and string match -q -- '-?*' "$word"
                switch "$here $word"
                  case 'small -c' 'small --color' 'small --generate-completion-script' 'small/show --into' 'small/show -c' 'small/show --color'
                    set pending 1
                end
              else
                switch "$here/$word"
                  case 'small/show'
                    set here 'small/show'
                  case 'small/help'
                    set helping 1
                  case '*'
                    set operands (math $operands + 1)
                end
              end
            end
            test "$here" = "$argv[1]"; or return 1
            if test $helping = 1
              test "$argv[3]" = help
            else
              test -z "$argv[2]"; or test "$argv[2]" = "$operands"; or test "$argv[2] $operands $ended $closed" = 'none 0 0 0'
            end
          end

          complete -c 'small' -f
          complete -c 'small' -n '__small_at \'small\'' -l 'color' -s 'c' -x -a '\'auto\' \'always\' \'never\'' -d 'It\'s colour.'
          complete -c 'small' -n '__small_at \'small\'' -l 'help' -s 'h' -d 'Show help information.'
          complete -c 'small' -n '__small_at \'small\'' -l 'generate-completion-script' -x -a '\'bash\' \'zsh\' \'fish\'' -d 'Print a completion script and exit.'
          complete -c 'small' -n '__small_at \'small\' \'\' \'help\'' -a '\'show\'' -d 'Show a file.'
          complete -c 'small' -n '__small_at \'small\'' -a '\'help\'' -d 'Show help for a subcommand.'
          complete -c 'small' -n '__small_at \'small/show\'' -l 'into' -x -a '(__fish_complete_directories)'
          complete -c 'small' -n '__small_at \'small/show\'' -l 'color' -s 'c' -x -a '\'auto\' \'always\' \'never\'' -d 'It\'s colour.'
          complete -c 'small' -n '__small_at \'small/show\'' -l 'help' -s 'h' -d 'Show help information.'
          complete -c 'small' -n '__small_at \'small/show\' \'0\'' -F -d 'What to show.'

          """#)
    }

    /// A command with one declaration of each kind that a script distinguishes.
    let small = Command("small", output: { (action: Int, _: ColorMode) in action }) {
      Option<ColorMode>("color", short: "c", default: .auto, help: "It's colour.")
    } subcommands: {
      Command("show", abstract: "Show a file.", output: { (_: String, _: String?) in 0 }) {
        Argument<String>("file", help: "What to show.", completion: .file)
        Option<String?>("into", completion: .directory)
      }
    }
  }

  /// A group with a command that takes an argument and also has a subcommand.
  private let both = Command("both", output: { (action: Int, _: Bool) in action }) {
    Flag("loud")
  } subcommands: {
    Command("snapshot", output: { (_: String, _: Bool, _: String?) in 0 }) {
      Argument<String>("page", completion: .list(["cover"]))
      Flag("dark")
      Option<String?>("out", short: "o")
    }
    .subcommands {
      Command("compare", output: { (_: String) in 0 }) { Argument<String>("old", completion: .list(["cold"])) }
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
