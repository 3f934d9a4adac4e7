/// A cell of a screen: a character and its style.
///
/// A wide character is stored in the left of its two cells; the right cell has no character. Only a `Screen` creates
/// cells, and it keeps both halves together.
public struct Cell: Hashable, Sendable {
  /// The character of the cell, `nil` in the right half of a wide character.
  public let character: Character?
  public let style: Style
  /// The columns taken by the character: 1 or 2, and 0 in the right half of a wide character.
  public let columns: Int8

  /// The maximum number of Unicode scalars of the character in a cell.
  ///
  /// An emoji of a family has up to eleven. The number of stacked combining marks is unlimited, and some terminals draw
  /// them over neighbouring lines.
  public static let maximumScalars = 32

  static func blank(_ style: Style = .plain) -> Cell { Cell(character: " ", style: style, columns: 1) }

  var isLeftHalf: Bool { columns == 2 }
  var isRightHalf: Bool { columns == 0 }

  /// Whether erasing gives the same result as drawing this cell: a space without visible style.
  var isErased: Bool { character == " " && style.isInvisibleOnSpace }
}

extension Character {
  var shortened: Character {
    guard utf8.count > Cell.maximumScalars, unicodeScalars.count > Cell.maximumScalars else { return self }
    return String(String.UnicodeScalarView(unicodeScalars.prefix(Cell.maximumScalars))).first ?? self
  }
}

extension Style {
  /// Whether a space looks the same in this style as in the plain one.
  fileprivate var isInvisibleOnSpace: Bool {
    background == .default && attributes.isDisjoint(with: [.underline, .inverse])
  }
}

/// A position on a screen, counted from zero at the top left.
public struct Position: Hashable, Sendable {
  public var column: Int
  public var row: Int

  public init(column: Int, row: Int) {
    self.column = column
    self.row = row
  }
}
