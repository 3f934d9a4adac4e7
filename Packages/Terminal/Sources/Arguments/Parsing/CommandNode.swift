/// A command without its types: what parsing, help and completions need to know of it.
struct CommandNode: Sendable {
  var name: String
  var abstract = ""
  var discussion = ""
  var version: String?
  var examples: [CommandExample] = []
  var definitions: [Definition] = []
  var subcommands: [CommandNode] = []
  /// Whether it does nothing by itself: it is called with the name of a subcommand.
  var isGroup = false
  /// Subcommands that were added to a group with options, which nothing tells them of.
  var unaware: [String] = []

  var options: [Definition] { definitions.filter { !$0.isPositional } }

  var positionals: [Definition] { definitions.filter(\.isPositional) }
}

extension [CommandNode] {
  /// The commands of a path whose options are understood at its end: that one, and the groups that it is in.
  ///
  /// What a command that does something by itself declares is about that alone.
  var understood: [CommandNode] { indices.filter { $0 == count - 1 || self[$0].isGroup }.map { self[$0] } }
}
