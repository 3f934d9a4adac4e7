import SnapshotAssertions
import Testing

@testable import WebSnapshotting

@Suite("Accessibility trees", .timeLimit(.minutes(5)))
struct AccessibilityTests {
  private let page = WebPage(
    html: """
      <title>Birds</title><h1>Welcome</h1>
      <nav aria-label=Main><ul><li><a href=/a>One</a><li><a href=/b aria-current=page>Two</a></ul></nav>
      <form aria-label=Search><label>Name <input value=Ayaka required></label><input type=checkbox checked aria-label=Agree>
        <button disabled>Send</button><button aria-pressed=false><i aria-hidden=true>b</i><span>Bold</span></button>
        <select aria-label=Bird><option>Puffin<option selected>Auk</select><input type=range value=5 max=10 aria-label=Volume></form>
      <p>Some <b>bold</b> text</p><img alt=Logo src='data:,'><div role=alert>Wrong password</div>
      <details><summary>More</summary>Hidden</details><table><caption>Tide</caption><tr><th>High<td>3 m</table>
      <div aria-hidden=true>Decoration</div><div style='content-visibility:auto;margin-top:2000px'><h2>Below</h2></div>
      <iframe title=Advert srcdoc='<p>Inner</p>'></iframe><div id=h></div>
      <script>h.attachShadow({ mode: 'closed' }).innerHTML = '<button>Inside</button>'</script>
      """)

  @Test("the tree of a page has roles, names, states and values")
  func tree() async {
    await expectSnapshot(of: page, as: .accessibility)
  }

  @Test("the tree of an element is a part of it")
  func part() async {
    await expectSnapshot(of: page, as: .accessibility(of: "nav"))
  }

  private func tree(_ html: String, of selector: String? = nil) async throws -> String {
    try await Browser.shared.capture(WebPage(html: html)) { try await $0.accessibilityTree(of: selector) }
  }

  @Test(
    "no text, value or description is left out",
    arguments: [
      ("<table><tr><td>1 <b>EUR</b></table>", "  table\n    row\n      cell \"1 EUR\"\n"),
      ("<ruby>鳥<rt>tori</rt></ruby>", "  ruby [description=\"tori\"]\n    text: 鳥\n"),
      ("<textarea>line 1\nline 2</textarea>", "  textbox: line 1 ⏎ line 2\n"),
      ("<pre>line 1\nline 2</pre>", "  text: line 1 ⏎ line 2\n"),
      ("<div contenteditable>a <a href=/b>b</a></div>", "  text: a\n  link \"b\" [url=/b]\n"),
      ("<p><b aria-current=step>One</b>", "  paragraph\n    generic [current=step]\n      text: One\n"),
      ("<div role=slider aria-valuenow=3 aria-valuetext=loud></div>", "  slider [valuetext=\"loud\"]: 3\n"),
      ("<input aria-label=Day placeholder=Monday>", "  textbox \"Day\" [placeholder=\"Monday\"]\n"),
      ("<progress value=0.3></progress>", "  progressbar: 0.3\n"),
    ])
  func complete(_ html: String, _ lines: String) async throws {
    #expect(try await tree(html) == "document\n" + lines)
  }

  @Test(
    "the tree of an element that the browser ignores has its content",
    arguments: [
      ("b", "<p>Status: <b>one</b>", "text: one\n"), ("a", "<a>Tern</a>", "text: Tern\n"),
      ("td", "<table><tr><td>Milk</table>", "cell \"Milk\"\n"),
      ("x-card", "<x-card><template shadowrootmode=open><p>Auk</template></x-card>", "paragraph\n  text: Auk\n"),
      ("span", "<span>Span <b>bold</b></span> more", "text: Span\ntext: bold\n"),
    ])
  func ignored(_ selector: String, _ html: String, _ lines: String) async throws {
    #expect(try await tree(html, of: selector) == lines)
  }

  @Test(
    "the tree of a hidden or empty element is an error",
    arguments: ["aria-hidden=true>Puffin", "style='display: none'>Puffin", ">"])
  func hidden(_ html: String) async throws {
    let error = await failure { try await tree("<div \(html)</div>", of: "div") }
    #expect(error?.description.contains("of `div`: the element is hidden or empty") == true)
  }

  @Test("a selector without an element, and an invalid one, are errors", arguments: ["#none", "#"])
  func missing(selector: String) async throws {
    let error = await failure {
      try await Browser.shared.capture(page) { try await $0.accessibilityTree(of: selector) }
    }
    #expect(error?.kind == .notFound && error?.description.contains(selector) == true)
  }
}
