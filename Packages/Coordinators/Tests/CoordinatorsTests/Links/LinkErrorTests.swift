import Coordinators
import Foundation
import TestSupport
import Testing

/// The error of an invalid link contains the position that the best alternative reached and the expected text there.
@Suite("Errors of invalid links")
struct LinkErrorTests {
  private func error(_ link: String) -> LinkError? {
    do throws(LinkError) {
      _ = try appLinks.route(for: link)
      return nil
    } catch { return error }
  }

  @Test(arguments: [
    ("boundaries://stories/abc", 21, ["a whole number", "the end of the path"]),
    ("boundaries://stories/1/likes", 23, ["'comments'", "the end of the path"]),
    ("boundaries://stories/1/comments", 31, ["a whole number"]),
    ("boundaries://stories/1/comments/x", 32, ["a whole number"]),
    ("boundaries://stories/1/comments/2/3", 34, ["the end of the path"]),
    ("boundaries://users/7", 19, ["a UUID"]),
    ("boundaries://days/2017-02-30", 18, ["a date such as 2017-03-02"]),
    ("boundaries://since/2017-03-02T09:30:00Z?tone=loud", 45, ["'formal', 'casual' or 'very rude/é'"]),
    ("boundaries://messages#top", 22, ["'#help'"]),
    ("boundaries://files/a//b", 21, ["text"]),
    (
      "boundaries://nothing", 13,
      [
        "'stories'", "'users'", "'messages'", "'days'", "'since'", "'pages'", "'files'", "'words'",
        "the end of the path",
      ]
    ),
    ("boundaries://files?v=1&v=x", 25, ["a whole number"]),
  ])
  func `the error contains the position that the best alternative reached`(
    link: String, offset: Int, expected: [String]
  ) throws {
    let error = try #require(self.error(link))
    #expect(error.offset == offset && error.expected == expected && error.kind == .mismatch)
  }

  @Test(
    "a link with a malformed value does not match a later declaration",
    arguments: [
      ("boundaries://words/search?q=%zz", 28, "two hexadecimal digits after '%'"),
      ("boundaries://words/search?q=fiets&tag=%4", 38, "two hexadecimal digits after '%'"),
      ("boundaries://words/search?q=%FF", 28, "valid UTF-8 text"),
      ("boundaries://stories/1?ref=%", 27, "two hexadecimal digits after '%'"),
      ("boundaries://messages/%FF", 22, "valid UTF-8 text"),
    ])
  func malformedValueIsReported(link: String, offset: Int, expected: String) throws {
    let error = try #require(self.error(link))
    #expect(error.kind == .malformed && error.offset == offset && error.expected == [expected], "\(error)")
  }

  @Test("a malformed query item that no link declares is ignored")
  func undeclaredMalformedItemIsIgnored() throws {
    #expect(try appLinks.route(for: "boundaries://words/fiets?utm=100%") == .words(.word("fiets")))
    #expect(try appLinks.route(for: "boundaries://words/search") == .words(.word("search")))
  }

  @Test("the error names a missing query item, a wrong scheme, a wrong host or a malformed byte")
  func errorNamesTheCause() throws {
    #expect(error("boundaries://since/2017-03-02T09:30:00Z")?.kind == .missingQueryItem("tone"))
    #expect(error("other://stories")?.kind == .scheme)
    #expect(error("")?.kind == .scheme)
    #expect(error("boundaries")?.kind == .scheme)
    #expect(error("https://evil.example/stories")?.kind == .host)
    #expect(error("https://boundaries.example.evil.example/stories")?.kind == .host)
    #expect(error("https://boundaries.example@evil.example/stories")?.kind == .host)
    #expect(error("https://boundaries.example:8443/stories")?.kind == .host)
    #expect(error("https://boundaries.example:80/stories")?.kind == .host)
    #expect(error("http://boundaries.example:443/stories")?.kind == .host)
    #expect(error("https://boundaries.example:4430/stories")?.kind == .host)
    #expect(error("https://boundaries.example:443@evil.example/stories")?.kind == .host)
    #expect(error("boundaries://stories/1 2")?.kind == .malformed)
    #expect(error("boundaries://stories/%4")?.kind == .malformed)
    #expect(error("boundaries://words/%zz")?.offset == 19)
  }

  @Test("the error refers to problems when no link is declared or no declared link is usable")
  func errorRefersToProblems() throws {
    let broken = Links<Int>(scheme: "x") { Link("a/:b", to: 1) }
    for (links, offset) in [(broken, 4), (Links<Int>(scheme: "x", declaredBy: { _ in }), 4)] {
      do throws(LinkError) {
        _ = try links.route(for: "x://a")
        Issue.record("an unusable link was parsed")
      } catch {
        #expect(error.kind == .mismatch && error.offset == offset && error.expected == [])
        #expect(error.description.contains("`problems`"))
      }
    }
    #expect(throws: LinkPrintingError.unprintable(placeholder: "b", in: "a/:b")) { try broken.link(to: 1) }
  }

  @Test("the description of an error is readable")
  func errorDescriptionIsReadable() {
    #expect(
      error("boundaries://stories/abc")?.description
        == "No route matches this link at 'abc', after 'boundaries://stories/': expected a whole number or the end of the path."
    )
    #expect(
      error("boundaries://stories/1/likes")?.description
        == "No route matches this link at 'likes', after 'boundaries://stories/1/': expected 'comments' or the end of the path."
    )
    #expect(
      error("mailto:me")?.description
        == "No route matches the link 'mailto:me': expected it to begin with 'boundaries:', 'https://boundaries.example' or "
        + "'https://www.boundaries.example'.")
    #expect(
      error("boundaries://since/2017-03-02T09:30:00Z")?.description
        == "No route matches this link: the query item 'tone' is missing. Add 'tone=…' to the query, with "
        + "'formal', 'casual' or 'very rude/é' as the value."
    )
  }

  /// Each argument is repeated up to 50,000 bytes, so an algorithm above linear time exceeds the time limit.
  @Test(
    .timeLimit(.minutes(1)),
    arguments: [
      "/", "a", "a/", "%41", "%", "?", "&", "?a=b&", "#", "=", "+", "x=&", "tag=%41&", "0", "-", ":", "@", "é", "../",
      "stories/", "files/", "\u{0}", " ", "\\", "v=1&",
    ])
  func `parsing a long text of any kind takes linear time`(unit: String) {
    let long = String(repeating: unit, count: 50_000 / unit.utf8.count)
    for start in ["", "boundaries://files/", "boundaries://words/search?q=x&", "boundaries://messages/x#"] {
      let outcome = Result { try appLinks.route(for: start + long) }
      if case .failure(let error as LinkError) = outcome { #expect(error.description.utf8.count < 2_000) }
    }
  }

  @Test("parsing never traps")
  func parsingNeverTraps() throws {
    let pieces = [
      "boundaries:", "//", "/", "stories", "words", "search", "?", "&", "=", "#", "%", "%2", "%2F", "q", "tag", "1",
      "é",
      "https://", "boundaries.example", "\u{0}", "+", "files", "since", "tone",
    ]
    try checkProperty("no trap", count: 1_000, Generator<String>.element(of: pieces).array(count: 0...12)) { parts in
      let link = parts.joined()
      switch Result(catching: { try appLinks.route(for: link) }) {
      case .success(let route): return try appLinks.route(for: appLinks.link(to: route)) == route
      case .failure(let error as LinkError): return error.offset <= link.utf8.count && !error.description.isEmpty
      case .failure: return false
      }
    }
  }

  private final class Count: @unchecked Sendable {
    // Accessed only on the test's thread.
    var bytes = 0
  }

  @Test("only links with a matching path parse values, for any number and length of links")
  func onlyMatchingLinksParseValues() throws {
    let count = Count()
    let number = LinkValue<Int>("a number") { text in
      count.bytes += text.utf8.count
      return Int(text)
    } print: {
      "\($0)"
    }
    let links = Links<Int>(scheme: "x") {
      for kind in 0..<500 {
        Link("thing\(kind)/:id?q=:q", number, .repeated(number)) {
          $0 + $1.count
        } from: { _ in
          nil
        }
      }
    }
    let long = "x://thing499/1?q=" + String(repeating: "1", count: 1_000_000)
    func error(_ link: String) -> LinkError? {
      do throws(LinkError) {
        _ = try links.route(for: link)
        return nil
      } catch { return error }
    }
    let wrong = try #require(error(long))
    #expect(count.bytes == 1_000_001, "without a read of the error, the link is parsed once")
    #expect(
      wrong.description.contains("expected a number") && count.bytes == 2_000_002, "a description parses it once more")
    count.bytes = 0
    let elsewhere = try #require(error("x://other/1?q=" + long.suffix(1_000_000)))
    #expect(elsewhere.offset == 4 && elsewhere.expected.count == 500)
    #expect(count.bytes == 0, "no value is read whose path does not fit")
  }
}
