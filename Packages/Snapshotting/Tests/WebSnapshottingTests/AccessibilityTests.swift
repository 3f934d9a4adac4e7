import SnapshotAssertions
import Testing

@testable import WebSnapshotting

@Suite("Accessibility trees", .timeLimit(.minutes(2)))
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

  @Test("a selector without an element, and an invalid one, are errors", arguments: ["#none", "#"])
  func missing(selector: String) async throws {
    let error = await failure {
      try await Browser.shared.capture(page) { try await $0.accessibilityTree(of: selector) }
    }
    #expect(error?.kind == .notFound && error?.description.contains(selector) == true)
  }
}
