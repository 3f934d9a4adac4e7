public import Foundation

extension Browser {
  /// A picture of a page, when it is ready.
  ///
  /// - Parameter page: What is shown.
  /// - Returns: A PNG.
  /// - Throws: ``WebError``.
  public func png(of page: WebPage) async throws(WebError) -> Data {
    try await withView(of: page) { view throws(WebError) in try await view.png() }
  }

  /// The document of a page, when it is ready, in one form: as the strategy `dom` shows it.
  ///
  /// - Parameter page: What is shown.
  /// - Throws: ``WebError``.
  public func dom(of page: WebPage) async throws(WebError) -> String {
    try await withView(of: page) { view throws(WebError) in try await view.text(of: Scripts.dom) }
  }

  /// The text that can be seen of a page, when it is ready: of the document itself, without shadow trees and frames.
  ///
  /// - Parameter page: What is shown.
  /// - Throws: ``WebError``.
  public func text(of page: WebPage) async throws(WebError) -> String {
    try await withView(of: page) { view throws(WebError) in try await view.text(of: Scripts.text) }
  }

  /// What a page wrote to the console until it was ready, and the errors that it did not catch, a line each.
  ///
  /// - Parameter page: What is shown.
  /// - Throws: ``WebError``.
  public func console(of page: WebPage) async throws(WebError) -> String {
    try await withView(of: page) { view throws(WebError) in
      try await view.console().map { "\($0)\n" }.joined()
    }
  }

  private func withView<Value: Sendable>(
    of page: WebPage, _ work: @escaping @Sendable (WebView) async throws(WebError) -> Value
  ) async throws(WebError) -> Value {
    let view = WebView(page, in: self)
    defer { view.close() }
    do {
      return try await awayFromPool {
        try await view.loaded()
        return try await work(view)
      }
    } catch {
      throw WebError(error)
    }
  }
}
