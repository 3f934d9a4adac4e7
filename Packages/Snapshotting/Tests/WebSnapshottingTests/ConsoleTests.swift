import Testing

@testable import WebSnapshotting

@Suite("Console messages")
struct ConsoleTests {
  private let browser = Browser.shared

  @Test("messages join their values, and errors are shown without their stack")
  func console() async throws {
    let page = WebPage(
      html: #"""
        <script>
          console.log('Tide', 5, true); console.log('a', undefined, null, -0);
          console.warn({ a: 'x', b: 1 }, [1, 2]); console.error(new Error('Tide'));
          console.info('a\r\nuncaught: x'); throw new TypeError('Ebb');
        </script>
        """#)
    #expect(
      try await browser.console(of: page) == """
        log: Tide 5 true
        log: a undefined null -0
        warning: Object Array(2)
        error: Error: Tide
        info: a\r
        uncaught: x
        uncaught: TypeError: Ebb

        """)
  }

  @Test("half of a character that a page cuts becomes a replacement character")
  func surrogates() async throws {
    let page = WebPage(html: #"<script>console.log('😀'); console.log('a\uD800b', '\uDC00')</script>"#)
    #expect(try await browser.console(of: page) == "log: 😀\nlog: a\u{FFFD}b \u{FFFD}\n")
  }
}
