/// The completions of the last word of a command line.
struct Completion {
  /// Names and values, each with a description.
  private(set) var words: [(text: String, help: String)] = []
  /// The kind of paths that the shell adds.
  private(set) var paths = CompletionKind.none

  /// Completes the last word; errors in the words before it are ignored.
  init(of words: [String], root: CommandNode) {
    let current = words.last ?? ""
    var scanner = Scanner(root: root)
    let place = scanner.place(after: words.dropLast())
    let options = scanner.path.visibleOptions
    let value = { (name: String) in options.first { $0.names.contains(name) }?.effectiveCompletion }
    switch place {
    case .value(let option):
      add(value(option))
    case .word where current.hasPrefix("--") && current.contains("="):
      add(value(String(current.prefix { $0 != "=" })))
    case .word where current.hasPrefix("-"):
      self.words = options.flatMap { option in option.names.map { ($0, option.help) } }
    case .word, .operand:
      addSubcommands(of: scanner.path)
      add(scanner.nextPositional?.effectiveCompletion)
    case .topic:
      addSubcommands(of: scanner.path)
    }
  }

  private mutating func addSubcommands(of path: [CommandNode]) {
    guard let command = path.last, command.isGroup else { return }
    words += command.subcommands.map { ($0.name, $0.abstract) }
    if !words.contains(where: { $0.text == "help" }) { words.append(("help", "Show help for a subcommand.")) }
  }

  private mutating func add(_ kind: CompletionKind?) {
    switch kind {
    case nil, CompletionKind.none?: break
    case .file?, .directory?: paths = kind ?? .none
    case .list(let texts)?: words += texts.map { ($0, "") }
    }
  }
}

extension [CommandNode] {
  /// The options that are accepted at the end of the path, innermost first, without hidden duplicates.
  fileprivate var visibleOptions: [Definition] {
    var visible: [Definition] = []
    for var option in reversed().flatMap(\.options) + BuiltIn.definitions(for: self) {
      if visible.contains(where: { $0.name == option.name }) { continue }
      if visible.contains(where: { $0.short != nil && $0.short == option.short }) { option.short = nil }
      visible.append(option)
    }
    return visible
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
    let typed = Array(words.dropFirst())
    let completion = Completion(of: shell == .bash ? joinedAtEqualsSigns(typed) : typed, root: root)
    let paths =
      switch completion.paths {
      case .file: "files"
      case .directory: "directories"
      case .none, .list: "none"
      }
    let lines = completion.words.map { word in
      let help = word.help.prefix { !$0.isNewline }
      return switch shell {
      case .bash: word.text
      case .zsh: word.text.replacing(":", with: "\\:") + (help.isEmpty ? "" : ":\(help)")
      case .fish: word.text + (help.isEmpty ? "" : "\t\(help)")
      }
    }
    return ([paths] + lines).map { $0 + "\n" }.joined()
  }

  /// Joins `--color`, `=` and `always`, because Bash splits words at `=`.
  private static func joinedAtEqualsSigns(_ words: [String]) -> [String] {
    var joined: [String] = []
    var isOpen = false
    for word in words {
      if let last = joined.last, last.hasPrefix("--"), isOpen || word == "=" {
        joined[joined.count - 1] = last + word
      } else {
        joined.append(word)
      }
      isOpen = word == "="
    }
    return joined
  }

  /// Returns a script that requests the completions from the program.
  func script(for program: String) -> String {
    let function = "_" + String(program.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    switch self {
    case .bash:
      return #"""
        # Bash completion for '\#(program)'. Source this file from ~/.bashrc.

        \#(function)_completions() {
          local current="${COMP_WORDS[COMP_CWORD]}" words=() paths='' word=''
          COMPREPLY=()
          [[ $current == '=' ]] && current=''
          # Bash passes the words as they are typed, with quotes and backslashes.
          for word in "${COMP_WORDS[@]:0:COMP_CWORD}" "$current"; do
            case "$word" in
              \'*) word="${word#\'}" word="${word%\'}" ;;
              \"*) word="${word#\"}" word="${word%\"}" ;;
              *\\*) IFS= read word <<< "$word" ;;
            esac
            words+=("$word")
          done
          {
            IFS= read -r paths
            while IFS= read -r word; do
              [[ "$word" == "${words[COMP_CWORD]}"* ]] || continue
              # Bash keeps an open quote and inserts the rest unchanged.
              [[ $current == [\"\']* ]] || word="$(printf '%q' "$word")"
              COMPREPLY+=("$word")
            done
          } < <("${words[0]/#\~\//$HOME/}" \#(Self.request) bash "${words[@]:1}" 2>/dev/null)
          [[ $paths == files || $paths == directories ]] || return 0
          compopt -o filenames 2>/dev/null
          while IFS= read -r word; do
            COMPREPLY+=("$word")
          done < <(compgen "-${paths:0:1}" -- "$current")
        }

        complete -F \#(function)_completions \#(Self.quoted(program))

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

        if [[ "${funcstack[1]}" == '\#(function)' ]]; then
          \#(function) "$@"
        else
          compdef \#(function) \#(Self.quoted(program))
        fi

        """#
    case .fish:
      return #"""
        # Fish completion for '\#(program)'. Save this file as ~/.config/fish/completions/\#(program).fish.

        function _\#(function)_completions
          set -l typed (commandline -opc)
          set -l current (commandline -ct)
          set -l command (string replace -r '^~/' "$HOME/" -- $typed[1])
          set -l lines ($command \#(Self.request) fish $typed[2..-1] "$current" 2>/dev/null)
          set -l prefix (string match -r -- '^--[^=]*=' "$current")
          set -l value (string replace -r -- '^--[^=]*=' '' "$current")
          begin
            test (count $lines) -gt 1; and printf '%s\n' $lines[2..-1]
            switch "$lines[1]"
              case files
                __fish_complete_path "$value"
              case directories
                __fish_complete_directories "$value"
            end
          end | string replace -r '^' -- "$prefix"
        end

        complete -c \#(Self.quoted(program)) -f -a '(_\#(function)_completions)'

        """#
    }
  }

  /// Returns the text as one literal word of each shell; the name of a program contains no backslash.
  private static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
