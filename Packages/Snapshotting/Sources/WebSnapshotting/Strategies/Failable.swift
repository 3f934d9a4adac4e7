internal import Parallel
internal import Snapshotting

extension Snapshotting {
  /// A strategy for what may have failed: a failure fails the assertion, with all there is to look at.
  ///
  /// - Parameter placeholder: What the snapshot is then.
  func orFailure(
    placeholder: @escaping @Sendable () -> Format?
  ) -> Snapshotting<Result<Value, WebError>, Format> {
    Snapshotting<Result<Value, WebError>, Format>(
      pathExtension: pathExtension, diffing: diffing, namePrefix: namePrefix
    ) { [capture] result, context in
      switch result {
      case .success(let value): return capture(value, context)
      case .failure(let error):
        context.fail(error.description, attachments: error.attachments)
        return Parallel { callback in
          if let nothing = placeholder() { callback(nothing) }
        }
      }
    }
  }
}

extension Snapshotting where Value == WebPage {
  /// A strategy for which the assertion has the time that the page may take, and the browser's start.
  func givingTime(_ browser: Browser) -> Snapshotting {
    var strategy = self
    strategy.capture = { [capture] page, context in
      // Opening a tab, loading, and taking the snapshot may each take as long.
      context.extendDeadline(by: browser.configuration.startTimeout + page.timeout * 3)
      return capture(page, context)
    }
    return strategy
  }
}
