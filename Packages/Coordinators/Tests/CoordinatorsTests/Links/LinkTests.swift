import Coordinators
import Foundation
import TestSupport
import Testing

@Suite("Links")
struct LinkTests {
  private func route(_ link: String) throws -> AppRoute { try appLinks.route(for: link) }

  @Test("the links of the tests have no problems")
  func declaredLinksAreValid() {
    #expect(appLinks.problems.isEmpty)
  }

  @Test("the link of the talk parses to its route and is printed from it")
  func linkOfTheTalkRoundTrips() throws {
    #expect(try route("boundaries://stories/12345") == .story(12345, ref: nil))
    #expect(try route("boundaries://stories/12345?ref=push") == .story(12345, ref: "push"))
    #expect(try appLinks.link(to: .story(12345, ref: "push")) == "boundaries://stories/12345?ref=push")
    #expect(
      try appLinks.universalLink(to: .story(1, ref: nil), host: "Boundaries.example")
        == "https://boundaries.example/stories/1")
  }

  @Test("every printed link parses to the same route, in both forms")
  func printedLinkParsesToSameRoute() throws {
    try checkProperty("parse(print(r)) == r", count: 1_000, anyRoute) { route in
      try appLinks.route(for: appLinks.link(to: route)) == route
        && appLinks.route(for: appLinks.universalLink(to: route, host: "boundaries.example")) == route
    }
  }

  /// A route with six values, of the kinds that ``AppRoute`` does not use.
  struct Six: Hashable, Sendable {
    var isOn: Bool
    var ratio: Double
    var path: [String]
    var day: Date?
    var tones: [Tone]
    var id: UUID?
  }

  @Test("a printed link with six values parses to the same route")
  func printedSixValuesRoundTrip() throws {
    let links = Links<Six>(scheme: "x") {
      Link(
        "six/:on/:ratio/:path?day=:day&tone=:tone#:id", .bool,
        LinkValue("a ratio", parse: { Double($0) }, print: { "\($0)" }), .repeated(.string), .optional(.day),
        .repeated(.cases), .optional(.uuid)
      ) {
        Six(isOn: $0, ratio: $1, path: $2, day: $3, tones: $4, id: $5)
      } from: {
        ($0.isOn, $0.ratio, $0.path, $0.day, $0.tones, $0.id)
      }
    }
    #expect(links.problems.isEmpty)
    let segment = Generator<String>.unicodeString.map { $0.isEmpty ? "." : $0 }
    let day = Generator<Int>.int(in: -719_162...2_932_896).map { Date(timeIntervalSince1970: Double($0) * 86_400) }
    let id = Generator<UInt64>.uint64.map { bits in
      UUID(uuidString: String(format: "%08x-0000-4000-8000-%012x", bits >> 32, bits & 0xFFFF_FFFF)) ?? UUID()
    }
    try checkProperty(
      "parse(print(r)) == r", count: 500, .bool, .int(in: -1_000_000...1_000_000), .array(of: segment, count: 0...3),
      day.optional, Generator<Tone>.element(of: Tone.allCases).array(count: 0...3), id.optional
    ) { isOn, ratio, path, day, tones, id in
      let route = Six(isOn: isOn, ratio: Double(ratio) / 7, path: path, day: day, tones: tones, id: id)
      return try links.route(for: links.link(to: route)) == route
    }
  }

  @Test("a printed link is ASCII without spaces")
  func printedLinkIsASCII() throws {
    try checkProperty("a link is a URL", count: 500, anyRoute) { route in
      let link = try appLinks.link(to: route)
      return link.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } && URL(string: link)?.absoluteString == link
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

  @Test("a fixed fragment matches in any encoding")
  func fixedFragmentMatchesInAnyEncoding() throws {
    #expect(try route("boundaries://messages#help") == .help)
    #expect(try route("boundaries://messages/#%68el%70") == .help)
    #expect(throws: LinkError.self) { try route("boundaries://messages#help%") }
  }

  @Test("query items are accepted in any order, and a plus means a space")
  func queryItemsAreAcceptedInAnyOrder() throws {
    #expect(
      try route("boundaries://words/search?tag=a+b&q=een%2Btwee&tag=c%20d&x=1")
        == .words(.search("een+twee", tags: ["a b", "c d"])))
    #expect(try route("boundaries://stories?page=1&sort=new") == .newest)
    #expect(try route("boundaries://stories?sort=new&page=2") == .stories)
    #expect(try route("boundaries://stories/1?r%65f=x") == .story(1, ref: "x"))
    #expect(try route("boundaries://stories/1?ref") == .story(1, ref: ""))
  }

  @Test("an absent value differs from an empty value")
  func absentValueDiffersFromEmpty() throws {
    #expect(try appLinks.link(to: .story(1, ref: "")) == "boundaries://stories/1?ref=")
    #expect(try appLinks.link(to: .page(nil)) == "boundaries://pages")
    #expect(try route("boundaries://messages/a") == .message("a", section: nil))
    #expect(try route("boundaries://messages/a#") == .message("a", section: ""))
  }

  @Test("printing encodes characters with a special meaning")
  func printingEncodesSpecialCharacters() throws {
    #expect(try appLinks.link(to: .words(.word("a/b c?#%é"))) == "boundaries://words/a%2Fb%20c%3F%23%25%C3%A9")
    #expect(try appLinks.link(to: .words(.word(".."))) == "boundaries://words/%2E%2E")
    #expect(try appLinks.link(to: .file([], versions: [])) == "boundaries://files")
    #expect(try appLinks.link(to: .file(["a", "b"], versions: [1, 2])) == "boundaries://files/a/b?v=1&v=2")
  }

  @Test("a value of the app's own type is parsed and printed by its closures")
  func ownValueUsesItsClosures() throws {
    let leap = Date(timeIntervalSince1970: 951_782_400)
    #expect(try route("boundaries://days/2000-02-29") == .day(leap))
    #expect(try appLinks.link(to: .day(leap)) == "boundaries://days/2000-02-29")
    #expect(throws: LinkError.self) { try route("boundaries://days/1999-02-29") }
  }

  @Test("whole numbers are parsed as Int prints them")
  func wholeNumbersAreParsedAsIntPrintsThem() throws {
    for number in [0, 7, -7, .max, .min] {
      #expect(try route("boundaries://stories/\(number)") == .story(number, ref: nil))
    }
    for wrong in ["01", "-0", "+1", "1.0", "9223372036854775808", "-9223372036854775809", "١", "-", "0x1"] {
      #expect(throws: LinkError.self) { try route("boundaries://stories/\(wrong)") }
    }
  }

  @Test("a route without a link and an empty path segment cannot be printed")
  func routeWithoutLinkCannotBePrinted() {
    let some = Links<AppRoute>(scheme: "x") { Link("stories", to: .stories) }
    #expect(throws: LinkPrintingError.noLink("home")) { try some.link(to: .home) }
    #expect(throws: LinkPrintingError.unprintable(placeholder: "word", in: "words/:word")) {
      try appLinks.link(to: .words(.word("")))
    }
    #expect(throws: LinkPrintingError.unknownHost("x.example", known: [])) {
      try some.universalLink(to: .stories, host: "x.example")
    }
  }

  @Test("linkFor selects the only link that prints a route")
  func linkForSelectsTheLink() throws {
    let number = Link<String>("number/:n", .int) {
      "\($0)"
    } from: {
      Int($0)
    }
    let text = Link<String>("text/:s", .string) {
      $0
    } from: {
      $0
    }
    let links = Links<String>(scheme: "x") {
      number
      text
    } linkFor: {
      $0.hasPrefix("?") ? Link("elsewhere", to: $0) : $0.hasPrefix("1") ? number : text
    }
    #expect(try links.link(to: "12") == "x://number/12")
    #expect(try Links(scheme: "x", { for link in [number, text] { link } }).link(to: "12") == "x://number/12")
    #expect(try links.link(to: "21") == "x://text/21", "the first link could print it, but linkFor selects the second")
    #expect(throws: LinkPrintingError.noLink("1a")) { try links.link(to: "1a") }
    #expect(throws: LinkPrintingError.noLink("?")) { try links.link(to: "?") }
  }

  @Test("linkFor distinguishes two links with the same template")
  func linkForDistinguishesEqualTemplates() throws {
    let small = Link<Int>(":n", .int) {
      $0
    } from: {
      $0 < 10 ? $0 : nil
    }
    let large = Link<Int>(":n", .int) {
      $0
    } from: {
      $0 < 10 ? nil : $0
    }
    let links = Links<Int>(scheme: "x") {
      small
      large
    } linkFor: {
      $0 < 10 ? small : large
    }
    #expect(try links.link(to: 5) == "x://5")
    #expect(try links.link(to: 50) == "x://50")
  }

  @Test("links added by a function equal links declared in a block")
  func linksCanBeAddedByFunction() throws {
    func declare(_ links: inout LinkList<WordRoute>) {
      links.add(Link("", to: .list))
      links.add(
        LinkGroup("w", wordLinks) {
          $0
        } from: {
          $0
        })
    }
    let links = Links<WordRoute>(scheme: "x", hosts: ["x.example"], declaredBy: declare)
    #expect(try links.route(for: "https://x.example/w/fiets") == .word("fiets"))
    #expect(try links.link(to: .list) == "x://")
    #expect(try links.link(to: .word("fiets")) == "x://w/fiets")
  }

  @Test("a literal and a placeholder at the same position are tried in declaration order")
  func literalAndPlaceholderAreTriedInOrder() throws {
    for wordFirst in [true, false] {
      let word = Link<String>(":word", .string) {
        "word \($0)"
      } from: { _ in
        nil
      }
      let links = Links<String>(scheme: "x") {
        if wordFirst { word }
        Link("stories", to: "stories")
        if !wordFirst { word }
      }
      #expect(try links.route(for: "x:stories") == (wordFirst ? "word stories" : "stories"))
    }
  }

  @Test("two placeholders at the same position are tried in declaration order")
  func placeholdersAreTriedInOrder() throws {
    for numberFirst in [true, false] {
      let number = Link<String>(":n", .int) {
        "number \($0)"
      } from: { _ in
        nil
      }
      let text = Link<String>(":s", .string) {
        "text \($0)"
      } from: { _ in
        nil
      }
      let links = Links<String>(scheme: "x") {
        if numberFirst { number }
        text
        if !numberFirst { number }
      }
      #expect(try links.route(for: "x:12") == (numberFirst ? "number 12" : "text 12"))
      #expect(try links.route(for: "x:ab") == "text ab")
      #expect(links.problems.isEmpty == numberFirst)
    }
  }

  @Test("a repeated fragment and a value that is optional or repeated twice are problems and cannot be printed")
  func ambiguousRepetitionIsAProblem() {
    func problems<Value: Sendable>(_ template: String, _ value: LinkValue<Value>, _ example: Value) -> [String] {
      let links = Links<Value>(scheme: "x") {
        Link(template, value) {
          $0
        } from: {
          $0
        }
      }
      #expect(throws: LinkPrintingError.unprintable(placeholder: "x", in: template)) { try links.link(to: example) }
      return links.problems
    }
    #expect(
      problems("stories#:x", .repeated(.string), ["a", "b"]) == [
        "the link 'stories#:x' repeats its fragment, but a link has only one fragment"
      ])
    for template in ["stories/:x", "stories?q=:x", "stories#:x"] {
      let nested = [
        "in the link '\(template)', ':x' combines optional or repeated more than once, which is ambiguous; use "
          + "only one of them"
      ]
      #expect(problems(template, .optional(.repeated(.string)), ["a", "b"]) == nested)
      #expect(problems(template, .repeated(.optional(.string)), ["a", nil]) == nested)
      #expect(problems(template, .optional(.optional(.string)), .some(nil)) == nested)
      #expect(problems(template, .repeated(.repeated(.string)), [["a"], ["b"]]) == nested)
    }
    let fixed = Links<[String]>(scheme: "x") {
      Link("files/:x#top", .repeated(.string)) {
        $0
      } from: {
        $0
      }
    }
    #expect(fixed.problems == [], "only the path is repeated, not the fragment")
  }

  @Test("a link that is never reached is a problem, and a link that some text reaches is none")
  func unreachableLinkIsAProblem() throws {
    func link<each Value: Sendable>(_ template: String, _ values: repeat LinkValue<each Value>) -> Link<Int> {
      Link(template, repeat each values) { (_: repeat each Value) in
        1
      } from: { _ in
        nil
      }
    }
    func problems(_ earlier: Link<Int>, _ later: Link<Int>) -> [String] {
      Links<Int>(scheme: "x") {
        earlier
        later
      }.problems
    }
    for (link, other) in [
      (link("a/:id", .int), link("a/:number", .int)), (link("a?x=1&y=2"), link("a?y=2&x=1")),
      (link("a?q=:q", .int), link("a?q=:r", .int)), (link("a#b"), link("a#b")),
      (link("a#:b", .int), link("a#:c", .int)),
      (link("a/:b?c=:c", .uuid, .repeated(.bool)), link("a/:b?c=:c", .uuid, .repeated(.bool))),
      (link("a?q=:q", .optional(.string)), link("a")),
    ] {
      let problem = try #require(problems(link, other).first)
      #expect(problem.contains("is never reached") && problem.hasSuffix("matches the same links; remove one of them"))
    }
    for (earlier, later) in [
      (link("a/:b", .repeated(.string)), link("a/b/c")), (link("a/:b", .optional(.string)), link("a")),
      (link("a/:b", .int), link("a/12")),
      (link("a/:b", .optional(.int)), link("a/:b", .int)), (link("a"), link("a?q=1#b")),
      (link("a/:b#:c", .string, .optional(.string)), link("a/:b#c", .bool)),
    ] {
      let problem = try #require(problems(earlier, later).first)
      #expect(problem.contains("is never reached") && problem.hasSuffix("first"))
      #expect(problems(later, earlier) == [])
    }
    for (one, other) in [
      (link("a/:b", .int), link("a/:b", .uuid)), (link("a?q=1"), link("a?q=2")),
      (link("a?q=:q", .int), link("a?r=:r", .int)),
      (link("a?q=:q", .optional(.int)), link("a?r=:r", .optional(.int))), (link("a#b"), link("a#c")),
    ] {
      #expect(problems(one, other) == [] && problems(other, one) == [])
    }
    #expect(problems(link("a/:b", .string), link("a/:b", .optional(.string))) == [], "the later one also matches 'a'")
    #expect(
      problems(link("a?q=:q", .int), link("a")) == [] && problems(link("a?q=:q", .optional(.int)), link("a")) == [])
  }

  @Test("invalid declarations are listed as problems")
  func invalidDeclarationsAreProblems() {
    let broken = Links<String>(scheme: "1x y") {
      Link("a/:b", to: "too few values")
      Link("a/:b/c", .optional(.int)) {
        "\($0 ?? 0)"
      } from: { _ in
        nil
      }
      Link("a?b=:b&b=:c", .int, .int) {
        "\($0) \($1)"
      } from: { _ in
        nil
      }
      Link("w/:word", .string) {
        $0
      } from: {
        $0
      }
      Link("w/search", to: "search")
    }
    #expect(
      broken.problems == [
        "'1x y' is not a valid scheme; use a letter, then letters, digits, '+', '-' and '.'",
        "the link 'a/:b' needs a value for each placeholder; placeholders: 1, values: 0",
        "in the link 'a/:b/c', ':b' is optional or repeated and must be at the end of the path",
        "the link 'a?b=:b&b=:c' has the query item 'b' twice; declare it once, with a repeated value",
        "the link 'w/search' is never reached: the earlier 'w/:word' matches all of its links; declare 'w/search' first",
      ])
  }
}
