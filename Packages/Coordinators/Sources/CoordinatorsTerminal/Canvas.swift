internal import Terminal

/// What a terminal shows, and the bytes that make it show something else.
struct Canvas {
  private let color: ColorCapability
  private let characters: CharacterCapability
  private var shown: Screen?

  init(color: ColorCapability, characters: CharacterCapability) {
    self.color = color
    self.characters = characters
  }

  /// The bytes of the cells that differ; none when all are the same.
  mutating func bytes(for screen: Screen) -> String {
    let screen = screen.limited(to: characters)
    let bytes = screen.repaint(from: shown, color: color)
    shown = screen
    // A terminal that knows these marks shows what is between them at once; others ignore them.
    return bytes.isEmpty ? "" : "\u{1B}[?2026h\(bytes)\u{1B}[?2026l"
  }

  /// Lets all of the next screen be painted.
  mutating func clear() { shown = nil }
}
