/// A key, without its modifiers.
public enum Key: Hashable, Sendable {
  /// A key that types one Unicode scalar; a letter with a combining mark arrives as two keys.
  case character(Character)
  /// Return or Enter.
  case enter
  /// Tab; back-tab when shift is held.
  case tab
  /// Backspace, which deletes to the left.
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
  /// Delete, which deletes to the right.
  case delete
  /// A function key by its number, from F1.
  case function(Int)
}

/// The modifier keys held while another key is pressed, as far as a terminal reports them.
///
/// Shift with a character is reported only as the resulting character. Control with a letter arrives as the lower case
/// letter.
public struct KeyModifiers: OptionSet, Hashable, Sendable {
  /// The bits, one for each modifier, in xterm's order.
  public let rawValue: UInt8

  /// Creates a set from the bits of its modifiers.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Shift.
  public static let shift = KeyModifiers(rawValue: 1 << 0)
  /// Alt, Option or Meta.
  public static let alt = KeyModifiers(rawValue: 1 << 1)
  /// Control.
  public static let control = KeyModifiers(rawValue: 1 << 2)
}

/// A pressed key with its modifiers.
public struct KeyPress: Hashable, Sendable {
  /// The key.
  public var key: Key
  /// The modifiers held with the key.
  public var modifiers: KeyModifiers

  /// Creates a press of `key` with `modifiers` held.
  public init(_ key: Key, _ modifiers: KeyModifiers = []) {
    self.key = key
    self.modifiers = modifiers
  }
}

/// An input from the keyboard.
public enum InputEvent: Hashable, Sendable {
  /// A key was pressed.
  case key(KeyPress)
  /// Text was pasted; it can contain newlines and control characters.
  case paste(String)
  /// The terminal sent an unknown sequence; its bytes, for a log.
  case unrecognized([UInt8])

  /// Returns the event of a key pressed with modifiers.
  public static func key(_ key: Key, _ modifiers: KeyModifiers = []) -> InputEvent { .key(KeyPress(key, modifiers)) }
}
