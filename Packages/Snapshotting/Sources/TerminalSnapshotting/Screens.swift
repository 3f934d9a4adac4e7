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
  ///
  /// - Parameters:
  ///   - theme: The default colours and the named colours.
  ///   - precision: The minimum share of pixels that match, from 0 to 1.
  ///   - perceptualPrecision: The required similarity of colours, from 0 to 1; 0.98 accepts invisible differences only.
  ///   - ignoringAntialiasing: Whether to ignore differences in antialiased pixels.
  ///   - colorDistance: The measure of the difference between colours.
  ///   - browser: The browser that draws the image.
  public static func image(
    theme: ScreenTheme = .dark, precision: Float = 1, perceptualPrecision: Float = 1,
    ignoringAntialiasing: Bool = false,
    colorDistance: ImageComparison.ColorDistance = .deltaE, in browser: Browser = .shared
  ) -> Snapshotting {
    Snapshotting<WebPage, Image>.image(
      precision: precision, perceptualPrecision: perceptualPrecision, ignoringAntialiasing: ignoringAntialiasing,
      colorDistance: colorDistance, in: browser
    )
    .pullback { screen in WebPage(screen, theme: theme) }
  }
}
