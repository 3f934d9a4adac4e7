/// A key, without its modifiers.
public enum Key: Hashable, Sendable {
  /// A key that types a character: one Unicode scalar, so that a letter with a combining mark arrives as two.
  case character(Character)
  /// Return or Enter.
  case enter
  /// Tab; with shift it is back-tab.
  case tab
  /// The key that deletes to the left.
  case backspace
  /// Esc by itself.
  case escape
  /// An arrow key.
  case up
  /// An arrow key.
  case down
  /// An arrow key.
  case left
  /// An arrow key.
  case right
  /// Home.
  case home
  /// End.
  case end
  /// Page up.
  case pageUp
  /// Page down.
  case pageDown
  /// Insert.
  case insert
  /// The key that deletes to the right.
  case delete
  /// F1 and on, by its number.
  case function(Int)
}

/// Modifier keys held while another is pressed, as far as a terminal tells.
///
/// Shift with a character is not told apart from the character it makes, and control with a letter arrives lower case.
public struct KeyModifiers: OptionSet, Hashable, Sendable {
  /// One bit for each modifier, as xterm counts them.
  public let rawValue: UInt8

  /// The modifiers whose bits are set.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Shift.
  public static let shift = KeyModifiers(rawValue: 1 << 0)
  /// Alt, Option or Meta.
  public static let alt = KeyModifiers(rawValue: 1 << 1)
  /// Control.
  public static let control = KeyModifiers(rawValue: 1 << 2)
}

/// A key pressed, with its modifiers.
public struct KeyPress: Hashable, Sendable {
  /// The key.
  public var key: Key
  /// What was held with it.
  public var modifiers: KeyModifiers

  /// A press of `key` with `modifiers` held.
  public init(_ key: Key, _ modifiers: KeyModifiers = []) {
    self.key = key
    self.modifiers = modifiers
  }
}

/// What a person did at the keyboard.
public enum InputEvent: Hashable, Sendable {
  /// A key was pressed.
  case key(KeyPress)
  /// Text was pasted; it may hold newlines and control characters. Pastes above `KeyParser.longestPaste` bytes come in
  /// several pieces.
  case paste(String)
  /// The terminal sent a sequence that means nothing here; its bytes, for a log.
  case unrecognized([UInt8])

  /// A key pressed with modifiers.
  public static func key(_ key: Key, _ modifiers: KeyModifiers = []) -> InputEvent { .key(KeyPress(key, modifiers)) }
}
