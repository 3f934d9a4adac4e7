internal import Coordinators

/// The look of the pages of a ``WebApp``.
///
/// ```swift
/// var theme = WebTheme()
/// theme.accent = "light-dark(#b3261e, #ffb4ab)"
/// theme.font = "Georgia, serif"
/// theme.styleSheet = "h1 { text-transform: uppercase }"
/// let app = WebApp(theme: theme) { screen in Page(screen.title) }
/// ```
public struct WebTheme: Hashable, Sendable {
  public enum Appearance: String, Hashable, Sendable {
    /// Light or dark, as the user's device.
    case system = "light dark"
    case light
    case dark
  }

  /// The colour of links, buttons and the focus, as a CSS colour; `light-dark(…, …)` has one for each appearance.
  ///
  /// Text in this colour needs a contrast of 4.5 to 1 on `#f2f3f6` and on `#1d2024`.
  public var accent = "light-dark(#0b57d0, #8cb4ff)"
  /// The colour of text on the accent, as a CSS colour.
  public var onAccent = "light-dark(#fff, #0a1a33)"
  public var appearance = Appearance.system
  /// The radius of the corners of cards and dialogs, in CSS pixels.
  public var radius = 12
  /// The CSS font families of the text.
  public var font = "system-ui, sans-serif"
  /// The address of the favicon; the default is the first letter of the app's name on the accent.
  public var icon: String?
  /// CSS rules after those of the shell.
  ///
  /// They can replace the variables `--page`, `--surface`, `--text`, `--muted`, `--line`, `--edge`, `--alert` and
  /// `--alert-surface`, too.
  public var styleSheet = ""

  public init() {}

  /// The default style sheet with the values of the theme.
  var rules: String {
    """
    :root {
      color-scheme: \(appearance.rawValue); --accent: \(accent); --on-accent: \(onAccent); --radius: \(radius)px;
      --font: \(font);
    }
    \(styleRules)
    \(styleSheet)
    """
  }

  /// Returns the address of the favicon for an app with a name.
  func icon(of name: String) -> String {
    if let icon { return icon }
    let drawing = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" style="color-scheme:\(appearance.rawValue)">\
      <rect width="64" height="64" rx="14" style="fill:\(accent)"/><text x="32" y="45" text-anchor="middle" \
      style="font:700 38px system-ui,sans-serif;fill:\(onAccent)">\(HTML.text(name.prefix(1).uppercased()).markup)</text></svg>
      """
    return "data:image/svg+xml,\(drawing.encoded())"
  }
}

private let styleRules = String(decoding: PackageResources.shell_css, as: UTF8.self)
