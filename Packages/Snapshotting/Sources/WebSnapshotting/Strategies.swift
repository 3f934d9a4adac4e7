public import ImageSnapshotting
internal import Parallel
public import Snapshotting

extension Snapshotting where Value == WebPage, Format == Image {
  /// Captures a page as an image, and compares exactly.
  ///
  /// ```swift
  /// await expectSnapshot(of: WebPage(html: "<h1>Puffins</h1>"), as: .image)
  /// ```
  ///
  /// A page that cannot be captured fails the assertion with a ``WebError``. An uncaught error of its scripts is a warning.
  ///
  /// References are identical on any Linux system with the same browser version. For another version, see
  /// <doc:WebSnapshotting#Equal-references-on-each-machine>.
  public static var image: Snapshotting { .image() }

  /// Captures a page as an image.
  ///
  /// The reference has the version of the browser, the fonts and the scale, so that a failure can report another environment.
  ///
  /// Source: *Async Functional Refactoring* (Point-Free, 2018).
  public static func image(
    precision: Float? = nil, perceptualPrecision: Float? = nil, ignoringAntialiasing: Bool = false,
    in browser: Browser = .shared
  ) -> Snapshotting {
    let pictures = SimplySnapshotting<Image>.image(
      precision: precision, perceptualPrecision: perceptualPrecision, ignoringAntialiasing: ignoringAntialiasing)
    let placeholder = Image(width: 1, height: 1, filledWith: .clear)
    return pictures.capturing(in: browser, placeholder: placeholder, warnings: { try await $0.imageWarnings() }) {
      tab in
      let longest = WebPage.Viewport.longestSide
      var image = try await Image(
        png: tab.screenshot(), scale: tab.page.viewport.scale, maximumPixels: longest * longest)
      image.environment = [
        "browser": tab.browser.version["product"]?.string ?? "",
        "fonts": browser.configuration.fonts == .pinned ? "DejaVu" : "of the system",
        "scale": "\(tab.page.viewport.scale)",
      ]
      return image
    }
  }
}

extension Snapshotting where Value == WebPage, Format == String {
  /// Captures the visible text of a page, without shadow trees and frames.
  ///
  /// ```swift
  /// await expectSnapshot(of: page, as: .text)
  /// ```
  public static var text: Snapshotting { .text(in: .shared) }

  /// Captures the visible text of a page; see ``text``.
  public static func text(in browser: Browser) -> Snapshotting {
    text(in: browser) { tab in try await tab.text(Scripts.text) }
  }

  /// Captures the console messages of a page until it is ready, and its uncaught errors.
  ///
  /// Each message begins with its level: `log`, `warning`, `error` and so on, or `uncaught`. An error is shown by its message, without
  /// its position.
  ///
  /// ```swift
  /// await expectSnapshot(of: page, as: .console)
  /// ```
  public static var console: Snapshotting { .console(in: .shared) }

  /// Captures the console messages of a page; see ``console``.
  public static func console(in browser: Browser) -> Snapshotting {
    text(in: browser, warnings: { _ in [] }) { tab in tab.state.consoleText }
  }

  /// Captures the accessibility tree of a page, as a screen reader gets it.
  ///
  /// Each line is a node with its role, its name, its states and its value; children are indented. A link has its `href` as `url`. Texts,
  /// frames and shadow trees are included, and nodes without a meaning are not.
  ///
  /// ```swift
  /// await expectSnapshot(of: page, as: .accessibility)
  /// ```
  ///
  /// ```
  /// heading "Birds" [level=1]
  /// list
  ///   listitem
  ///     link "Puffin" [url=/puffin]
  /// textbox "Name" [required]: Ayaka
  /// ```
  public static var accessibility: Snapshotting { .accessibility() }

  /// Captures a part of the accessibility tree of a page; see ``accessibility``.
  ///
  /// `selector` is a CSS selector of the element, or `nil` for the whole page.
  public static func accessibility(of selector: String? = nil, in browser: Browser = .shared) -> Snapshotting {
    text(in: browser) { tab in try await tab.accessibilityTree(of: selector) }
  }

  private static func text(
    in browser: Browser,
    warnings: @escaping @Sendable (Tab) async throws -> [String] = { $0.scriptWarnings },
    _ take: @escaping @Sendable (Tab) async throws -> String
  ) -> Snapshotting {
    SimplySnapshotting.lines.capturing(in: browser, placeholder: "", warnings: warnings, take)
  }
}

extension Snapshotting where Value == Format, Format: Sendable {
  /// An error fails the assertion, and the placeholder becomes the snapshot.
  fileprivate func capturing(
    in browser: Browser, placeholder: Format?, warnings: @escaping @Sendable (Tab) async throws -> [String],
    _ take: @escaping @Sendable (Tab) async throws -> Format
  ) -> Snapshotting<WebPage, Format> {
    Snapshotting<WebPage, Format>(pathExtension: pathExtension, diffing: diffing, namePrefix: namePrefix) {
      page, context in
      var page = page
      if let limit = context.timeout, limit != .seconds(5) {
        page.timeout = min(page.timeout, limit)
        // The error of the page, which says more, comes before that of the assertion.
        context.extendDeadline(by: .seconds(1.5))
      } else {
        // With the default timeout, the assertion waits for the start of the browser, the page and the diagnosis of a timeout.
        context.extendDeadline(by: Browser.startTimeout + page.timeout + .seconds(2))
      }
      return Parallel { [page] callback in
        Task {
          do throws(WebError) {
            let (format, found) = try await browser.capture(page) { tab in
              let format = try await tab.repeating(take, until: context.matchesReference)
              return (format, try await warnings(tab))
            }
            for warning in found { context.warn(warning) }
            callback(format)
          } catch {
            context.fail(error.description, attachments: error.attachments)
            if let placeholder { callback(placeholder) }
          }
        }
      }
    }
  }
}
