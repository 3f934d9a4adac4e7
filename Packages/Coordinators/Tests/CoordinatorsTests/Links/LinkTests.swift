import Coordinators
import Foundation
import TestSupport
import Testing

private enum Tone: String, CaseIterable, Hashable, Sendable { case formal, casual, rude = "very rude/é" }

private enum WordRoute: Hashable, Sendable {
  case list
  case word(String)
  case search(String, tag: String?)
}

private enum AppRoute: Hashable, Sendable {
  case home
  case stories
  case newest
  case story(Int, ref: String?)
  case comment(Int, Int)
  case user(UUID)
  case day(Date)
  case since(String, tone: Tone)
  case page(Int?)
  case words(WordRoute)
}

extension LinkValue where Value == Date {
  fileprivate static var day: LinkValue {
    let format = Date.ISO8601FormatStyle().year().month().day()
    return LinkValue("a date such as 2017-03-02") { text in
      (try? format.parse(text)).flatMap { format.format($0) == text ? $0 : nil }
    } print: {
      format.format($0)
    }
  }
}

private let links = Links<AppRoute>(scheme: "boundaries", hosts: ["boundaries.example", "www.Boundaries.example"]) {
  Link("", to: .home)
  Link("stories?sort=new&page=1", to: .newest)
  Link("stories", to: .stories)
  Link("stories/:id?ref=:ref", .int, .optional(.string)) {
    AppRoute.story($0, ref: $1)
  } from: {
    if case .story(let id, let ref) = $0 { (id, ref) } else { nil }
  }
  Link("stories/:id/comments/:comment", .int, .int) {
    AppRoute.comment($0, $1)
  } from: {
    if case .comment(let story, let comment) = $0 { (story, comment) } else { nil }
  }
  Link("users/:id", .uuid, to: { AppRoute.user($0) }, from: { if case .user(let id) = $0 { id } else { nil } })
  Link("days/:day", .day, to: { AppRoute.day($0) }, from: { if case .day(let day) = $0 { day } else { nil } })
  Link("since/:moment?tone=:tone", .string, .cases) {
    AppRoute.since($0, tone: $1)
  } from: {
    if case .since(let moment, let tone) = $0 { (moment, tone) } else { nil }
  }
  Link("pages/:number", .optional(.int)) {
    AppRoute.page($0)
  } from: { route -> Int?? in
    if case .page(let number) = route { .some(number) } else { nil }
  }
  Link("words", to: .words(.list))
  Link("words/search?q=:q&tag=:tag", .string, .optional(.string)) {
    AppRoute.words(.search($0, tag: $1))
  } from: {
    if case .words(.search(let text, let tag)) = $0 { (text, tag) } else { nil }
  }
  Link("words/:word", .string) {
    AppRoute.words(.word($0))
  } from: {
    if case .words(.word(let word)) = $0 { word } else { nil }
  }
}

private var anyRoute: Generator<AppRoute> {
  let text = Generator<String>.unicodeString
  let segment = text.map { $0.isEmpty ? ".." : $0 }
  let day = Generator<Int>.int(in: -719_162...2_932_896)
  return .oneOf([
    .element(of: [.home, .stories, .newest, .words(.list)]),
    Generator<(Int, String?)>.zip(.int, text.optional).map { AppRoute.story($0.0, ref: $0.1) },
    Generator<(Int, Int)>.zip(.int, .int).map { AppRoute.comment($0.0, $0.1) },
    Generator<UInt64>.uint64.map { bits in
      AppRoute.user(
        UUID(uuidString: String(format: "%08x-0000-4000-8000-%012x", bits >> 32, bits & 0xFFFF_FFFF)) ?? UUID())
    },
    day.map { AppRoute.day(Date(timeIntervalSince1970: Double($0) * 86_400)) },
    Generator<(String, Tone)>.zip(segment, .element(of: Tone.allCases)).map { AppRoute.since($0.0, tone: $0.1) },
    Generator<Int>.int.optional.map { AppRoute.page($0) },
    segment.map { AppRoute.words(.word($0 == "search" ? "zoek" : $0)) },
    Generator<(String, String?)>.zip(text, text.optional).map { AppRoute.words(.search($0.0, tag: $0.1)) },
  ])
}

@Suite("Links")
struct LinkTests {
  private func route(_ link: String) throws -> AppRoute { try links.route(for: link) }

  private func error(_ link: String) -> LinkError? {
    do throws(LinkError) {
      _ = try links.route(for: link)
      return nil
    } catch { return error }
  }

  @Test("a printed link and a printed path parse to the same route, and are URLs in ASCII")
  func printedLinkParsesToSameRoute() throws {
    try checkProperty("parse(print(r)) == r", count: 1_000, anyRoute) { route in
      let (link, path) = (try links.link(to: route), try links.path(to: route))
      return try links.route(for: link) == route && links.route(forPath: path) == route
        && links.route(for: "https://boundaries.example\(path)") == route && path.first == "/"
        && link.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } && URL(string: link)?.absoluteString == link
    }
  }

  @Test(arguments: [
    "boundaries://stories/1", "boundaries:/stories/1", "boundaries:stories/1", "boundaries:///stories/1",
    "BOUNDARIES://stories/1", "boundaries://stories/1/", "boundaries://stories/1?", "boundaries://stories/1#",
    "boundaries://stories/1?utm=x&&=&y", "boundaries://%73tories/%31", "https://boundaries.example/stories/1",
    "http://BOUNDARIES.example/stories/1?a=b", "https://www.boundaries.example/stories/1#top",
    "https://boundaries.example:443/stories/1", "http://boundaries.example:80/stories/1",
    "https://boundaries.example:/stories/1",
  ])
  func `different spellings of a link parse to the same route`(link: String) throws {
    #expect(try route(link) == .story(1, ref: nil))
  }

  @Test("query items are accepted in any order, and a plus means a space")
  func queryItemsAreAcceptedInAnyOrder() throws {
    #expect(
      try route("boundaries://words/search?tag=a+b&q=een%2Btwee&x=1")
        == .words(.search("een+twee", tag: "a b")))
    #expect(try route("boundaries://stories?page=1&sort=new") == .newest)
    #expect(try route("boundaries://stories?sort=new&page=2") == .stories)
    #expect(try route("boundaries://stories/1?r%65f=x") == .story(1, ref: "x"))
    #expect(try route("boundaries://stories/1?ref") == .story(1, ref: ""))
  }

  @Test("an absent value differs from an empty value, and special characters are encoded")
  func printingIsExact() throws {
    #expect(try links.link(to: .story(1, ref: "")) == "boundaries://stories/1?ref=")
    #expect(try links.link(to: .page(nil)) == "boundaries://pages")
    #expect(try links.link(to: .words(.word("a/b c?#%é"))) == "boundaries://words/a%2Fb%20c%3F%23%25%C3%A9")
    #expect(try links.path(to: .words(.word(".."))) == "/words/%2E%2E")
    #expect(try links.path(to: .home) == "/")
  }

  @Test("whole numbers are parsed as Int prints them")
  func wholeNumbersAreParsedAsIntPrintsThem() throws {
    for number in [0, 7, -7, .max, .min] {
      #expect(try route("boundaries://stories/\(number)") == .story(number, ref: nil))
    }
    for wrong in ["01", "-0", "+1", "1.0", "9223372036854775808", "١", "-", "0x1"] {
      #expect(throws: LinkError.self) { try route("boundaries://stories/\(wrong)") }
    }
    #expect(throws: LinkError.self) { try route("boundaries://days/1999-02-29") }
  }

  @Test("texts that differ only in their Unicode form are different links")
  func linksAreComparedAsBytes() throws {
    let forms = Links<Int>(scheme: "x") {
      Link("caf\u{E9}", to: 1)
      Link("cafe\u{301}", to: 2)
    }
    #expect(try forms.route(for: "x://caf%C3%A9") == 1 && forms.route(for: "x://cafe%CC%81") == 2)
  }

  @Test("a route without a link and an empty path segment cannot be printed")
  func routeWithoutLinkCannotBePrinted() {
    let some = Links<AppRoute>(scheme: "x") { Link("stories", to: .stories) }
    #expect(throws: LinkPrintingError.noLink("home")) { try some.link(to: .home) }
    #expect(throws: LinkPrintingError.unprintable(placeholder: "word", in: "words/:word")) {
      try links.link(to: .words(.word("")))
    }
  }

  @Test("links are tried in declaration order, whatever the text of their expectations")
  func linksAreTriedInOrder() throws {
    func link(_ name: String, _ first: Character) -> Link<String> {
      let value = LinkValue<String>("a name", parse: { $0.first == first ? $0 : nil }, print: { $0 })
      return Link(":name", value, to: { "\(name) \($0)" }, from: { _ in nil })
    }
    let text = Link<String>(":text", .string, to: { "text \($0)" }, from: { _ in nil })
    let named = Links<String>(scheme: "x") {
      link("a", "a")
      link("b", "b")
      text
      Link("stories", to: "stories")
    }
    #expect(try ["ab", "ba", "stories"].map { try named.route(for: "x:\($0)") } == ["a ab", "b ba", "text stories"])
  }

  @Test(arguments: [
    ("boundaries://stories/abc", 21, ["a whole number", "the end of the path"]),
    ("boundaries://stories/1/likes", 23, ["'comments'", "the end of the path"]),
    ("boundaries://stories/1/comments", 31, ["a whole number"]),
    ("boundaries://stories/1/comments/2/3", 34, ["the end of the path"]),
    ("boundaries://users/7", 19, ["a UUID"]),
    ("boundaries://days/2017-02-30", 18, ["a date such as 2017-03-02"]),
    ("boundaries://since/2017-03-02T09:30:00Z?tone=loud", 45, ["'formal', 'casual' or 'very rude/é'"]),
    ("boundaries://words//b", 19, ["'search'", "text", "the end of the path"]),
    (
      "boundaries://nothing", 13,
      ["'stories'", "'users'", "'days'", "'since'", "'pages'", "'words'", "the end of the path"]
    ),
  ])
  func `the error has the place of the first difference from the nearest link`(
    link: String, offset: Int, expected: [String]
  ) throws {
    let error = try #require(self.error(link))
    #expect(error.offset == offset && error.expected == expected)
  }

  @Test("a wrong scheme, a wrong host and a malformed byte are errors with their place")
  func errorHasThePlaceOfTheCause() {
    for link in ["other://stories", "", "boundaries"] { #expect(error(link)?.offset == 0) }
    for host in [
      "evil.example", "boundaries.example.evil.example", "boundaries.example@evil.example", "boundaries.example:8443",
      "boundaries.example:80", "boundaries.example:443@evil.example",
    ] {
      #expect(error("https://\(host)/stories")?.expected == ["'boundaries.example'", "'www.boundaries.example'"])
    }
    for (link, offset) in [
      ("boundaries://stories/1 2", 22), ("boundaries://words/%zz", 19), ("boundaries://words/search?q=%FF", 28),
      ("boundaries://stories/1?ref=%", 27),
    ] {
      #expect(error(link)?.offset == offset)
    }
  }

  @Test("the description of an error is readable")
  func errorDescriptionIsReadable() {
    #expect(
      error("boundaries://stories/abc")?.description
        == "No route matches this link at 'abc', after 'boundaries://stories/': expected a whole number or the end of the path."
    )
    #expect(
      error("mailto:me")?.description
        == "No route matches this link at 'mailto:me': expected 'boundaries:', 'https://boundaries.example' or "
        + "'https://www.boundaries.example'.")
    #expect(
      error("boundaries://since/2017-03-02T09:30:00Z")?.description
        == "No route matches this link at its end, after 'boundaries://since/2017-03-02T09:30:00Z': expected "
        + "the query item 'tone' with 'formal', 'casual' or 'very rude/é'."
    )
  }

  @Test("any text is parsed or refused, and a parsed text can be printed")
  func parsingNeverTraps() throws {
    let pieces = [
      "boundaries:", "//", "/", "stories", "words", "search", "?", "&", "=", "#", "%", "%2", "%2F", "q", "tag", "1",
      "é", "https://", "boundaries.example", "\u{0}", "+", "since", "tone",
    ]
    try checkProperty("no trap", count: 1_000, Generator<String>.element(of: pieces).array(count: 0...12)) { parts in
      let link = parts.joined()
      switch Result(catching: { try links.route(for: link) }) {
      case .success(let route): return try links.route(for: links.link(to: route)) == route
      case .failure(let error as LinkError): return error.offset <= link.utf8.count && !error.description.isEmpty
      case .failure: return false
      }
    }
  }

  @Test("a template that does not agree with its values ends the program")
  func wrongDeclarationEndsTheProgram() async {
    await #expect(processExitsWith: .failure) { _ = Link("a/:b", to: 1) }
    await #expect(processExitsWith: .failure) {
      _ = Link("a/:b/c", .optional(.int), to: { $0 ?? 0 }, from: { $0 })
    }
    await #expect(processExitsWith: .failure) { _ = LinkValue<Int??>.optional(.optional(.int)) }
  }
}
