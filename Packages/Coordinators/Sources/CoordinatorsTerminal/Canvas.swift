internal import Terminal

struct Canvas {
  private let color: ColorCapability
  private var shown: Screen?

  init(color: ColorCapability) { self.color = color }

  mutating func bytes(for screen: Screen) -> String {
    let bytes = screen.repaint(from: shown, color: color)
    shown = screen
    // Terminals that support these marks show the text between them at once; others ignore the marks.
    return bytes.isEmpty ? "" : "\u{1B}[?2026h\(bytes)\u{1B}[?2026l"
  }

  mutating func clear() { shown = nil }
}
