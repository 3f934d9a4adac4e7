import Foundation
import Testing

@testable import WebSnapshotting

@Suite("Inert HTML")
struct InertTextTests {
  @Test(
    "text, images and style sheets are inert",
    arguments: [
      "", "Puffins", "<h1>Puffins</h1><p class=a style='color: red'>3 < 4, on and on", "<P>a<BR/>b</P>",
      "<!DOCTYPE html><html><head><meta charset=\"utf-8\"><title>a</title><style>p { color: red }</style></head><body></body></html>",
      "<svg viewBox='0 0 1 1'><linearGradient id=a /><circle r=1 /></svg><img src=a.png><!-- note -->", "<p once",
    ])
  func inert(_ html: String) {
    #expect(InertText.isInert(html))
  }

  @Test(
    "scripts, requests, policies, autofocus and similar text are not inert",
    arguments: [
      "<script>a</script>", "<SCRIPT>a", "<p><script/x>", "<p onclick=a>", "<p a='b'ONLOAD = a>", "<img/onerror\n=a>",
      "on=",
      "<iframe src=a>", "<object data=a>", "<embed>", "<link rel=a>", "<base href=a>", "<form>", "<input>", "<video>",
      "<body link=red>", "<BODY\nbgcolor=red>", "<p></body><body vlink=red>", "<body/alink=red>", "<body class=a>",
      "<meta http-equiv=Content-Security-Policy content=a>", "<meta name=referrer>", "<meta charset=utf-8 name=a>",
      "<style title=a>", "<style\n>", "<p autofocus>", "<p AutoFocus>", "<x-y>", "<template>", "<noscript>",
      "<svg><animate>",
      "<svg><use>", "<!-- <script> -->", "<h1\u{B}>", "<portal>", "<p\0>",
    ])
  func notInert(_ html: String) {
    #expect(!InertText.isInert(html))
  }

  @Test("a page with long text, a network or a script condition is not inert")
  func pages() {
    let inert = WebPage(html: "<p>Puffins")
    #expect(PageTraits(inert).isInert)
    #expect(!InertText.isInert(String(repeating: "a", count: 1 << 20 + 1)))
    #expect(PageTraits(WebPage(html: "<p>", baseURL: URL(string: "https://birds.example/"))).isInert == false)
    #expect(!PageTraits(WebPage(html: "<p>", network: .on)).isInert)
    var other = inert
    other.readiness = [.predicate("window.x = 1")]
    #expect(!PageTraits(other).isInert)
  }
}
