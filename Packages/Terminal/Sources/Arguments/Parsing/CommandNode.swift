/// A command without its types: what parsing, help and completions need to know of it.
struct CommandNode: Sendable {
  var name: String
  var abstract = ""
  var discussion = ""
  var version: String?
  var examples: [CommandExample] = []
  var definitions: [Definition] = []
  var subcommands: [CommandNode] = []

  var options: [Definition] { definitions.filter { !$0.isPositional } }

  var positionals: [Definition] { definitions.filter(\.isPositional) }

  var isGroup: Bool { !subcommands.isEmpty }
}
