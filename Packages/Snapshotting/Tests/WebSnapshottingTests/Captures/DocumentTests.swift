import Testing
import WebSnapshotting

@Suite("The document of a page as text", .timeLimit(.minutes(2)))
struct DocumentTests {
  @Test(
    "the document has no comments",
    arguments: [
      ("<p>a <b>x<!-- --></b> c</p>", ["<p>a <b>x</b> c</p>"]),
      ("<p>a <!-- --> c</p>", ["<p>a c</p>"]),
      ("<p><!-- --></p>", ["<p></p>"]),
      ("<div>a<!-- -->b<p>c</p><!-- -->d <!-- --> e</div>", ["<div>", "  ab", "  <p>c</p>", "  d e", "</div>"]),
      ("<pre>a  <!-- --><b>c\n</b></pre>", ["<pre>a  <b>c", "</b></pre>"]),
    ])
  func comments(_ html: String, _ lines: [String]) async throws {
    let dom = try await Browser.shared.dom(of: WebPage(html: html))
    let body = lines.map { ($0.hasPrefix("</b>") ? "" : "    ") + $0 + "\n" }.joined()
    #expect(dom == "<html>\n  <head></head>\n  <body>\n\(body)  </body>\n</html>\n")
  }

  @Test("preformatted text is unchanged, and its elements are normalised")
  func preformatted() async throws {
    let html = "<pre>a  &lt;\u{A0}<b title='\"' class=x>c\n  d</b><br><style>p > b {}</style></pre>"
    let dom = try await Browser.shared.dom(of: WebPage(html: html))
    let expected =
      #"<pre>a  &lt;&nbsp;<b class="x" title="&quot;">c"# + "\n  d</b><br><style>p > b {}</style></pre>\n"
    #expect(dom.contains("\n    \(expected)"), "\(dom)")
  }
}
