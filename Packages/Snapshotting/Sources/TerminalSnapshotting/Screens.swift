public import ImageSnapshotting
internal import Parallel
public import Snapshotting
public import Terminal
public import WebSnapshotting

extension Snapshotting where Value == Screen, Format == String {
  /// Shows the characters of a terminal's screen, a line each row.
  ///
  /// ```swift
  /// assertSnapshot(of: screen, as: .text)
  /// ```
  public static var text: Snapshotting { SimplySnapshotting.lines.pullback { screen in screen.text } }
}

extension Snapshotting where Value == Screen, Format == Image {
  /// Shows a terminal's screen as an image, drawn by the browser, with colours, attributes and the cursor.
  ///
  /// ```swift
  /// await expectSnapshot(of: screen, as: .image)
  /// ```
  public static var image: Snapshotting { .image() }

  /// Shows a terminal's screen as an image.
  public static func image(
    theme: ScreenTheme = .dark, precision: Float? = nil, perceptualPrecision: Float? = nil,
    ignoringAntialiasing: Bool = false, in browser: Browser = .shared
  ) -> Snapshotting {
    Snapshotting<WebPage, Image>.image(
      precision: precision, perceptualPrecision: perceptualPrecision, ignoringAntialiasing: ignoringAntialiasing,
      in: browser
    )
    .pullback { screen in WebPage(screen, theme: theme) }
  }
}
