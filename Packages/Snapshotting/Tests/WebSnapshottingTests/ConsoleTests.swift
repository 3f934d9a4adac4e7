import Testing

@testable import WebSnapshotting

@Suite("Console messages, messages of the browser, and documents")
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
        warning: {a: x, b: 1} {0: 1, 1: 2}
        error: Error: Tide
        info: a
          uncaught: x
        uncaught: TypeError: Ebb

        """)
  }

  @Test("half of a character that a page cuts becomes a replacement character")
  func surrogates() async throws {
    let page = WebPage(html: #"<script>console.log('😀'); console.log('a\uD800b', '\uDC00')</script>"#)
    #expect(try await browser.console(of: page) == "log: 😀\nlog: a\u{FFFD}b \u{FFFD}\n")
  }

  @Test(
    "a document as text has one element or text in each line, and preformatted text is unchanged",
    arguments: [
      ("<p class=a>a <!-- -->  b</p>", [#"<p class="a">a b</p>"#]),
      ("<div>a<br>b &lt; <b>c</b></div>", ["<div>", "  a", "  <br>", "  b &lt;", "  <b>c</b>", "</div>"]),
      ("<pre>a  <b>c\n</b></pre>", ["<pre>a  <b>c", "</b></pre>"]),
      (
        "<div><template shadowrootmode=open><b>a</b></template></div>",
        ["<div>", #"  <template shadowrootmode="open">"#, "    <b>a</b>", "  </template>", "</div>"]
      ),
    ])
  func document(_ html: String, _ lines: [String]) async throws {
    let dom = try await browser.dom(of: WebPage(html: html))
    let body = lines.map { ($0.hasPrefix("</b>") ? "" : "    ") + $0 + "\n" }.joined()
    #expect(dom == "<html>\n  <head></head>\n  <body>\n\(body)  </body>\n</html>\n")
  }
}
