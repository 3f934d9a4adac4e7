/// The scripts that this library runs in pages: functions of JavaScript, as text.
///
/// They run in a world where the page's scripts are not, and take what belongs to the document from its prototype: a page's
/// element of the name `images` is what `document.images` says.
enum Scripts {
  /// Takes everything out of a document, and goes back to its beginning.
  static let emptying = """
    () => {
      document.replaceChildren();
      document.adoptedStyleSheets = [];
      scrollTo({ left: 0, top: 0, behavior: 'instant' });
      return scrollX === 0 && scrollY === 0 && !document.activeElement && getSelection().type === 'None';
    }
    """

  /// The status of an answer of failure without a document, for which the browser shows an empty one.
  static let emptyFailure = """
    () => {
      const status = performance.getEntriesByType('navigation')[0]?.responseStatus ?? 0;
      const isEmpty = !document.head?.hasChildNodes() && !document.body?.hasChildNodes();
      return status >= 400 && isEmpty ? status : null;
    }
    """

  /// Resolves when the fonts that the page asked for have arrived, or have failed to.
  static let fonts = "() => Reflect.get(Document.prototype, 'fonts', document).ready.then(() => true)"

  /// Resolves when an element of the document, or of an open shadow tree in it, fits a selector.
  static let presence = """
    (selector) => new Promise((resolve, reject) => {
      const { querySelector, querySelectorAll } = Document.prototype;
      const isIn = (root) => root.querySelector(selector)
        || [...root.querySelectorAll('*')].some(({ shadowRoot }) => shadowRoot instanceof ShadowRoot && isIn(shadowRoot));
      const look = () => {
        try {
          if (querySelector.call(document, selector)
            || [...querySelectorAll.call(document, '*')]
              .some(({ shadowRoot }) => shadowRoot instanceof ShadowRoot && isIn(shadowRoot))) resolve(true);
          else requestAnimationFrame(look);
        } catch (error) { reject(error); }
      };
      look();
    })
    """

  /// Resolves when an expression is true, or a promise of what is true.
  static func waiting(for predicate: String) -> String {
    // The line ends behind the expression, which may end with a comment.
    """
    new Promise((resolve, reject) => {
      const look = async () => {
        try {
          if (await (\(predicate)
          )) resolve(true); else requestAnimationFrame(look);
        } catch (error) { reject(error); }
      };
      look();
    })
    """
  }
}
