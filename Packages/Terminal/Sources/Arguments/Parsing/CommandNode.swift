/// A command without its types, for parsing, help and completions.
struct CommandNode: Sendable {
  var name: String
  var abstract = ""
  var discussion = ""
  var version: String?
  var examples: [CommandExample] = []
  var definitions: [Definition] = []
  var subcommands: [CommandNode] = []
  /// Whether the command only groups subcommands and cannot run by itself.
  var isGroup = false
  /// The subcommands that were added later to a group with options, and do not receive these options.
  var unaware: [String] = []

  var options: [Definition] { definitions.filter { !$0.isPositional } }

  var positionals: [Definition] { definitions.filter(\.isPositional) }
}

extension [CommandNode] {
  /// The commands of a path with options that are accepted at its end: the last command and the groups that contain it.
  ///
  /// Options of any other command on the path are accepted only by that command.
  var understood: [CommandNode] { indices.filter { $0 == count - 1 || self[$0].isGroup }.map { self[$0] } }
}
