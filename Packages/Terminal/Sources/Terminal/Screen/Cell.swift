/// One cell of a screen: a character and how it looks.
///
/// A wide character stands in the left one of its two cells; the right one has no character. Cells come from a
/// `Screen`, which keeps the two together, so there is no way to make half a character.
public struct Cell: Hashable, Sendable {
  /// The character drawn here, `nil` in the right half of a wide character.
  public let character: Character?
  /// How it looks; both halves of a wide character look the same.
  public let style: Style
  /// The columns taken by the character: 1 or 2, and 0 in the right half of a wide character.
  public let columns: Int8

  /// The most Unicode scalars of the character in a cell: a family of emoji has eleven, and a pile of combining marks, which
  /// some terminals draw over the lines around it, has as many as somebody likes.
  public static let mostScalars = 32

  /// A space in a style.
  static func blank(_ style: Style = .plain) -> Cell { Cell(character: " ", style: style, columns: 1) }

  var isLeftHalf: Bool { columns == 2 }
  var isRightHalf: Bool { columns == 0 }

  /// Whether erasing leaves the same as drawing this cell: a space with nothing to see in it.
  var isErased: Bool { character == " " && style.isInvisibleOnSpace }
}

extension Character {
  /// This character with no more on it than a cell holds.
  var shortened: Character {
    guard utf8.count > Cell.mostScalars, unicodeScalars.count > Cell.mostScalars else { return self }
    return String(String.UnicodeScalarView(unicodeScalars.prefix(Cell.mostScalars))).first ?? self
  }
}

extension Style {
  /// Whether a space looks the same in this style as in the plain one.
  fileprivate var isInvisibleOnSpace: Bool {
    background == .default && attributes.isDisjoint(with: [.underline, .inverse])
  }
}

/// A place on a screen, counted from zero at the top left.
public struct Position: Hashable, Sendable {
  /// Cells from the left edge.
  public var column: Int
  /// Lines from the top edge.
  public var row: Int

  /// The place `column` cells from the left edge and `row` lines from the top.
  public init(column: Int, row: Int) {
    self.column = column
    self.row = row
  }
}
