internal import Parallel
public import Snapshotting

extension Snapshotting where Value == WebPage, Format == String {
  /// Shows the document of a page as HTML in one form.
  ///
  /// It is the document as it is when the page is ready, with what scripts did to it: a block a line, attributes in the order
  /// of their names, white space as it shows, no comments. Open shadow trees are in it, as templates; what is
  /// in frames is not.
  ///
  /// ```swift
  /// await expectSnapshot(of: page, as: .dom)
  /// ```
  public static var dom: Snapshotting { .dom(in: .shared) }

  /// Shows the document of a page as HTML in one form; see ``dom``.
  ///
  /// - Parameter browser: What shows the page.
  public static func dom(in browser: Browser) -> Snapshotting {
    text(pathExtension: "html", in: browser) { browser, page throws(WebError) in try await browser.dom(of: page) }
  }

  /// Shows the text of a page that can be seen.
  ///
  /// It is the text of the document itself: what is in shadow trees and in frames is not in it. ``dom`` has open shadow trees.
  ///
  /// ```swift
  /// await expectSnapshot(of: page, as: .text)
  /// ```
  public static var text: Snapshotting { .text(in: .shared) }

  /// Shows the text of a page that can be seen; see ``text``.
  ///
  /// - Parameter browser: What shows the page.
  public static func text(in browser: Browser) -> Snapshotting {
    text(pathExtension: "txt", in: browser) { browser, page throws(WebError) in try await browser.text(of: page) }
  }

  /// Shows what a page wrote to the console until it was ready, and the errors that it did not catch.
  ///
  /// Each message begins with its level: `log`, `warning`, `error` and so on, or `uncaught`. Of an error there is what it says,
  /// and not where it was. What workers write is not in it.
  ///
  /// ```swift
  /// await expectSnapshot(of: page, as: .console)
  /// ```
  public static var console: Snapshotting { .console(in: .shared) }

  /// Shows what a page wrote to the console; see ``console``.
  ///
  /// - Parameter browser: What shows the page.
  public static func console(in browser: Browser) -> Snapshotting {
    text(pathExtension: "txt", in: browser) { browser, page throws(WebError) in
      try await browser.console(of: page)
    }
  }

  private static func text(
    pathExtension: String, in browser: Browser,
    _ capture: @escaping @Sendable (Browser, WebPage) async throws(WebError) -> String
  ) -> Snapshotting {
    var lines = SimplySnapshotting.lines
    lines.pathExtension = pathExtension
    return lines.orFailure { "" }
      .asyncPullback { (page: WebPage) in
        Parallel { callback in
          Task(executorPreference: BrowserExecutor.shared) {
            do throws(WebError) {
              callback(.success(try await capture(browser, page)))
            } catch {
              callback(.failure(error))
            }
          }
        }
      }
      .givingTime(browser)
  }
}
