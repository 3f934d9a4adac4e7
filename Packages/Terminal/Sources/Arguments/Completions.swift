/// The completions of the last word of a command line.
struct Completion {
  /// Names and values, each with a description.
  private(set) var words: [(text: String, help: String)] = []
  /// The paths that the shell adds: `none`, `files` or `directories`.
  private(set) var paths = "none"

  /// Completes the last word; errors in the words before it are ignored.
  init(of words: [String], root: CommandNode) {
    let current = words.last ?? ""
    var scanner = Scanner(root: root)
    var option = scanner.optionWithoutValue(after: words.dropLast())
    let options = scanner.path.visibleOptions.map(\.definition)
    let isOption = current.hasPrefix("-") && !scanner.optionsEnded
    if isOption, current.hasPrefix("--"), current.contains("=") { option = String(current.prefix { $0 != "=" }) }
    if let option {
      add(options.first { $0.names.contains(option) }?.effectiveCompletion)
    } else if isOption {
      self.words = options.flatMap { option in option.names.map { ($0, option.help) } }
    } else {
      for command in scanner.path.suffix(1) where command.isGroup {
        self.words = command.subcommands.map { ($0.name, $0.abstract) } + [("help", "Show help for a subcommand.")]
      }
      add(scanner.nextPositional?.effectiveCompletion)
    }
  }

  private mutating func add(_ kind: CompletionKind?) {
    switch kind {
    case nil, CompletionKind.none?: break
    case .file?: paths = "files"
    case .directory?: paths = "directories"
    case .list(let texts)?: words += texts.map { ($0, "") }
    }
  }
}

/// A shell with support for completion scripts.
enum CompletionShell: String, CaseIterable, ExpressibleByArgument {
  /// GNU Bash, 3.2 or later.
  case bash
  /// The Z shell with its `compinit` completion system.
  case zsh
  /// The friendly interactive shell, 3.1 or later.
  case fish
}

extension CompletionShell {
  /// The first word of a request for completions; no option can be `---complete`: declared names do not begin with a dash.
  static let request = "---complete"

  /// Returns the answer to a request: a line with the kind of paths, then a line for each word.
  ///
  /// The words of the request are the name of a shell and the typed words without the program. The last word is the one
  /// to complete.
  static func answer(_ words: ArraySlice<String>, root: CommandNode) -> String {
    let shell = words.first.flatMap(CompletionShell.init(rawValue:)) ?? .bash
    let completion = Completion(of: Array(words.dropFirst()), root: root)
    let isValue = words.last.map { $0.hasPrefix("--") && $0.contains("=") } ?? false
    // Fish replaces the whole word, the other shells only the part after the equals sign.
    let option = isValue && shell == .fish ? words.last?.prefix { $0 != "=" } : nil
    let lines = completion.words.map { word in
      let help = word.help.prefix { !$0.isNewline }
      return switch shell {
      case .bash: word.text
      case .zsh: word.text.replacing(":", with: "\\:") + (help.isEmpty ? "" : ":\(help)")
      case .fish: (option.map { $0 + "=" } ?? "") + word.text + (help.isEmpty ? "" : "\t\(help)")
      }
    }
    return ([completion.paths] + lines).map { $0 + "\n" }.joined()
  }

  /// Returns a script that requests the completions from the program.
  func script(for program: String) -> String {
    let function = "_" + String(program.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    switch self {
    case .bash:
      return #"""
        # Bash completion for '\#(program)'. Source this file from ~/.bashrc.

        \#(function)_completions() {
          local line="${COMP_LINE:0:COMP_POINT}" current="${COMP_WORDS[COMP_CWORD]}" words=() paths='' word=''
          # Splits at white space alone, because COMP_WORDS is also split at '='.
          read -a words <<< "$line"
          [[ $line == *[[:space:]] ]] && words+=('')
          [[ $current == '=' ]] && current=''
          COMPREPLY=()
          {
            read -r paths
            while IFS= read -r word; do
              [[ $word == "$current"* ]] && COMPREPLY+=("$(printf '%q' "$word")")
            done
          } < <("${words[0]/#\~\//$HOME/}" \#(Self.request) bash "${words[@]:1}" 2>/dev/null)
          [[ $paths == files || $paths == directories ]] || return 0
          compopt -o filenames 2>/dev/null
          while IFS= read -r word; do
            COMPREPLY+=("$word")
          done < <(compgen "-${paths:0:1}" -- "$current")
        }

        complete -F \#(function)_completions \#(program)

        """#
    case .zsh:
      return #"""
        #compdef \#(program)
        # Zsh completion for '\#(program)'. Save this file as '\#(function)' in a directory of $fpath.

        \#(function)() {
          local -a lines
          lines=("${(@f)$("${${(Q)words[1]}/#\~\//$HOME/}" \#(Self.request) zsh "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
          local paths="${lines[1]}"
          shift lines
          [[ "${words[CURRENT]}" == --*=* ]] && compset -P '*='
          (( ${#lines} )) && _describe 'completion' lines
          case "$paths" in
            files) _files ;;
            directories) _files -/ ;;
          esac
        }

        \#(function) "$@"

        """#
    case .fish:
      return #"""
        # Fish completion for '\#(program)'. Save this file as ~/.config/fish/completions/\#(program).fish.

        function _\#(function)_completions
          set -l typed (commandline -opc)
          set -l current (commandline -ct)
          set -l program (string replace -r '^~/' "$HOME/" -- $typed[1])
          set -l lines ($program \#(Self.request) fish $typed[2..-1] "$current" 2>/dev/null)
          test (count $lines) -gt 1; and printf '%s\n' $lines[2..-1]
          switch "$lines[1]"
            case files
              __fish_complete_path "$current"
            case directories
              __fish_complete_directories "$current"
          end
        end

        complete -c \#(program) -f -a '(_\#(function)_completions)'

        """#
    }
  }
}
