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
  /// A page that cannot be captured fails the assertion with a ``WebError``. An uncaught error of its scripts and a failed request are
  /// warnings.
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
    return pictures.capturing(in: browser, placeholder: placeholder, warnings: { try await $0.fontWarnings() }) {
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
    SimplySnapshotting.lines.capturing(in: browser, placeholder: "") { try await $0.text() }
  }

  /// Captures the accessibility tree of a page, as a screen reader gets it.
  ///
  /// Each line is a node with its role, its name, its states and its value; children are indented. A link has its `href` as `url`. Texts,
  /// frames and shadow trees are included, and nodes without a meaning are not. The end of a line in a text is ⏎.
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
  /// `selector` is a CSS selector of the element, or `nil` for the whole page. A hidden or empty element is an error.
  public static func accessibility(of selector: String? = nil, in browser: Browser = .shared) -> Snapshotting {
    SimplySnapshotting.lines.capturing(in: browser, placeholder: "") { try await $0.accessibilityTree(of: selector) }
  }
}

extension Snapshotting where Value == Format, Format: Sendable {
  /// An error fails the assertion, and the placeholder becomes the snapshot.
  fileprivate func capturing(
    in browser: Browser, placeholder: Format?,
    warnings: @escaping @Sendable (Tab) async throws -> [String] = { _ in [] },
    _ take: @escaping @Sendable (Tab) async throws -> Format
  ) -> Snapshotting<WebPage, Format> {
    Snapshotting<WebPage, Format>(pathExtension: pathExtension, diffing: diffing, namePrefix: namePrefix) {
      page, context in
      var page = page
      if let limit = context.timeout, limit != .seconds(5) {
        page.timeout = min(page.timeout, limit)
        // The error of the page, which says more, comes before that of the assertion.
        context.extendDeadline(by: .seconds(3))
      } else {
        // With the default timeout, the assertion waits for the start of the browser, the page and the diagnosis of a timeout.
        context.extendDeadline(by: Browser.startTimeout + page.timeout + .seconds(2))
      }
      return Parallel { [page] callback in
        Task {
          do throws(WebError) {
            let (format, found) = try await browser.capture(page) { tab in
              var format = try await take(tab)
              let end = ContinuousClock.now + min(page.retryLimit ?? .zero, page.timeout / 2)
              while ContinuousClock.now < end, let matches = context.matchesReference, !matches(format) {
                format = try await take(tab)
              }
              return (format, try await tab.warnings + warnings(tab))
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
