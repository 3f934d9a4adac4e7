/// The functions run in a context of their own, apart from the page's scripts.
///
/// They read the properties of the document from its prototype, because an element with the name `images` hides
/// `document.images`.
enum Scripts {
  static let emptying = """
    () => {
      document.replaceChildren();
      document.adoptedStyleSheets = [];
      scrollTo({ left: 0, top: 0, behavior: 'instant' });
      return scrollX === 0 && scrollY === 0 && !document.activeElement && getSelection().type === 'None';
    }
    """

  /// Returns the failure status of a response without content.
  static let emptyFailure = """
    () => {
      const status = performance.getEntriesByType('navigation')[0]?.responseStatus ?? 0;
      const isEmpty = !document.head?.hasChildNodes() && !document.body?.hasChildNodes();
      return status >= 400 && isEmpty ? status : null;
    }
    """

  /// Resolves when the fonts of the page are loaded or have failed.
  static let fonts = "() => Reflect.get(Document.prototype, 'fonts', document).ready.then(() => true)"

  /// Resolves when an element of the document or of an open shadow tree matches a selector.
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

  /// Resolves when an expression is true, or a promise of true.
  static func waiting(for predicate: String) -> String {
    // The expression may end with a comment.
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
