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
  /// A page that cannot be captured fails the assertion with a ``WebError``. References are identical on any Linux system with the
  /// same browser version. For another version, see <doc:WebSnapshotting#Reproducible-images>.
  public static var image: Snapshotting { .image() }

  /// Captures a page as an image.
  ///
  /// Source: *Async Functional Refactoring* (Point-Free, 2018).
  public static func image(
    precision: Float = 1, perceptualPrecision: Float = 1, ignoringAntialiasing: Bool = false,
    colorDistance: ImageComparison.ColorDistance = .deltaE, in browser: Browser = .shared
  ) -> Snapshotting {
    let pictures = SimplySnapshotting<Image>.image(
      precision: precision, perceptualPrecision: perceptualPrecision, ignoringAntialiasing: ignoringAntialiasing,
      colorDistance: colorDistance)
    return pictures.capturing(in: browser, placeholder: Image(width: 1, height: 1, filledWith: .clear)) {
      page throws(WebError) in
      try await browser.capture(page) { tab, progress in try await tab.screenshot(of: page, progress).image() }
    }
  }
}

extension Snapshotting where Value == WebPage, Format == String {
  /// Captures the document of a page as HTML in a normal form.
  ///
  /// It is the document when the page is ready, after the changes of scripts: one block in each line, sorted attributes, collapsed
  /// white space, no comments. Open shadow trees are included as templates; frames are not.
  ///
  /// ```swift
  /// await expectSnapshot(of: page, as: .dom)
  /// ```
  public static var dom: Snapshotting { .dom(in: .shared) }

  /// Captures the document of a page as HTML; see ``dom``.
  public static func dom(in browser: Browser) -> Snapshotting {
    text(pathExtension: "html", in: browser) { page throws(WebError) in try await browser.dom(of: page) }
  }

  /// Captures the visible text of a page, without shadow trees and frames.
  ///
  /// ``dom`` includes open shadow trees.
  ///
  /// ```swift
  /// await expectSnapshot(of: page, as: .text)
  /// ```
  public static var text: Snapshotting { .text(in: .shared) }

  /// Captures the visible text of a page; see ``text``.
  public static func text(in browser: Browser) -> Snapshotting {
    text(pathExtension: "txt", in: browser) { page throws(WebError) in try await browser.text(of: page) }
  }

  /// Captures the console messages of a page until it is ready, and its uncaught errors.
  ///
  /// Each message begins with its level: `log`, `warning`, `error` and so on, or `uncaught`. An error is shown by its message, without
  /// its position. Messages of workers are not included.
  ///
  /// ```swift
  /// await expectSnapshot(of: page, as: .console)
  /// ```
  public static var console: Snapshotting { .console(in: .shared) }

  /// Captures the console messages of a page; see ``console``.
  public static func console(in browser: Browser) -> Snapshotting {
    text(pathExtension: "txt", in: browser) { page throws(WebError) in try await browser.console(of: page) }
  }

  private static func text(
    pathExtension: String, in browser: Browser,
    _ capture: @escaping @Sendable (WebPage) async throws(WebError) -> String
  ) -> Snapshotting {
    var lines = SimplySnapshotting.lines
    lines.pathExtension = pathExtension
    return lines.capturing(in: browser, placeholder: "", capture)
  }
}

extension Snapshotting where Value == Format, Format: Sendable {
  /// An error fails the assertion, and the placeholder becomes the snapshot.
  fileprivate func capturing(
    in browser: Browser, placeholder: Format?, _ capture: @escaping @Sendable (WebPage) async throws(WebError) -> Format
  ) -> Snapshotting<WebPage, Format> {
    Snapshotting<WebPage, Format>(pathExtension: pathExtension, diffing: diffing, namePrefix: namePrefix) {
      page, context in
      // The assertion waits for the start of the browser, the time limit of the page and the diagnosis of a timeout.
      context.extendDeadline(by: browser.configuration.startTimeout + page.timeout + .seconds(2))
      return Parallel { callback in
        Task(executorPreference: BrowserExecutor.shared) {
          do throws(WebError) {
            callback(try await capture(page))
          } catch {
            context.fail(error.description, attachments: error.attachments)
            if let placeholder { callback(placeholder) }
          }
        }
      }
    }
  }
}
