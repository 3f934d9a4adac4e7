import Coordinators
import Foundation
import TestSupport
import Testing

/// One declaration, both ways.
@Suite("Links")
struct LinkTests {
  private func route(_ link: String) throws -> AppRoute { try appLinks.route(for: link) }

  @Test("are declared without a mistake")
  func areDeclaredWithoutMistake() {
    #expect(appLinks.problems.isEmpty)
  }

  @Test("lead to the route of the talk, and back")
  func leadRouteTalkBack() throws {
    #expect(try route("boundaries://stories/12345") == .story(12345, ref: nil))
    #expect(try route("boundaries://stories/12345?ref=push") == .story(12345, ref: "push"))
    #expect(try appLinks.link(to: .story(12345, ref: "push")) == "boundaries://stories/12345?ref=push")
    #expect(
      try appLinks.universalLink(to: .story(1, ref: nil), host: "Boundaries.example")
        == "https://boundaries.example/stories/1")
  }

  @Test("print what parses to the same route, for any route and form")
  func printParsesSameRoute() throws {
    try checkProperty("parse(print(r)) == r", count: 1_000, anyRoute) { route in
      try appLinks.route(for: appLinks.link(to: route)) == route
        && appLinks.route(for: appLinks.universalLink(to: route, host: "boundaries.example")) == route
    }
  }

  /// What ``AppRoute`` has none of: six values, and the remaining kinds of them.
  struct Six: Hashable, Sendable {
    var isOn: Bool
    var ratio: Double
    var path: [String]
    var day: Date?
    var tones: [Tone]
    var id: UUID?
  }

  @Test("print what parses to the same route, with as many values as there can be")
  func printSixValues() throws {
    let links = Links<Six>(scheme: "x") {
      Link(
        "six/:on/:ratio/:path?day=:day&tone=:tone#:id", .bool, .lossless("a ratio"), .repeated(.string),
        .optional(.day),
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

  @Test("print ASCII without spaces, which any reader of URLs takes")
  func printASCIIWithoutSpaces() throws {
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
  func `are forgiving where nothing is lost`(link: String) throws {
    #expect(try route(link) == .story(1, ref: nil))
  }

  @Test("find a fixed fragment however it is encoded")
  func findFixedFragment() throws {
    #expect(try route("boundaries://messages#help") == .help)
    #expect(try route("boundaries://messages/#%68el%70") == .help)
    #expect(throws: LinkError.self) { try route("boundaries://messages#help%") }
  }

  @Test("take queries in any order, and a plus for a space")
  func takeQueriesAnyOrder() throws {
    #expect(
      try route("boundaries://words/search?tag=a+b&q=een%2Btwee&tag=c%20d&x=1")
        == .words(.search("een+twee", tags: ["a b", "c d"])))
    #expect(try route("boundaries://stories?page=1&sort=new") == .newest)
    #expect(try route("boundaries://stories?sort=new&page=2") == .stories)
    #expect(try route("boundaries://stories/1?r%65f=x") == .story(1, ref: "x"))
    #expect(try route("boundaries://stories/1?ref") == .story(1, ref: ""))
  }

  @Test("tell an absent value from an empty one")
  func tellAbsentValueFrom() throws {
    #expect(try appLinks.link(to: .story(1, ref: "")) == "boundaries://stories/1?ref=")
    #expect(try appLinks.link(to: .page(nil)) == "boundaries://pages")
    #expect(try route("boundaries://messages/a") == .message("a", section: nil))
    #expect(try route("boundaries://messages/a#") == .message("a", section: ""))
  }

  @Test("encode what would mean something else")
  func encodeWouldMeanSomething() throws {
    #expect(try appLinks.link(to: .words(.word("a/b c?#%é"))) == "boundaries://words/a%2Fb%20c%3F%23%25%C3%A9")
    #expect(try appLinks.link(to: .words(.word(".."))) == "boundaries://words/%2E%2E")
    #expect(try appLinks.link(to: .file([], versions: [])) == "boundaries://files")
    #expect(try appLinks.link(to: .file(["a", "b"], versions: [1, 2])) == "boundaries://files/a/b?v=1&v=2")
  }

  @Test("read days and moments that exist, and print only what they can")
  func readDaysMomentsExist() throws {
    let leap = Date(timeIntervalSince1970: 951_782_400)
    #expect(try route("boundaries://days/2000-02-29") == .day(leap))
    #expect(try appLinks.link(to: .day(leap)) == "boundaries://days/2000-02-29")
    #expect(
      try appLinks.link(to: .since(Date(timeIntervalSince1970: 0.25), tone: .rude))
        == "boundaries://since/1970-01-01T00%3A00%3A00.250Z?tone=very%20rude/%C3%A9")
    for wrong in ["1999-02-29", "2000-13-01", "2000-00-10", "0000-01-01", "2000-1-1", "2000-01-0x"] {
      #expect(throws: LinkError.self) { try route("boundaries://days/\(wrong)") }
    }
    for wrong in ["2000-01-01T24:00:00Z", "2000-01-01T00:60:00Z", "2000-01-01T00:00:00.000Z", "2000-01-01"] {
      #expect(throws: LinkError.self) { try route("boundaries://since/\(wrong)?tone=formal") }
    }
    #expect(throws: LinkPrintingError.self) { try appLinks.link(to: .day(leap.addingTimeInterval(1))) }
    #expect(throws: LinkPrintingError.self) {
      try appLinks.link(to: .since(Date(timeIntervalSince1970: 1e-6), tone: .casual))
    }
    #expect(throws: LinkPrintingError.self) { try appLinks.link(to: .day(Date(timeIntervalSince1970: .infinity))) }
  }

  @Test("read whole numbers as Int prints them")
  func readWholeNumbersInt() throws {
    for number in [0, 7, -7, .max, .min] {
      #expect(try route("boundaries://stories/\(number)") == .story(number, ref: nil))
    }
    for wrong in ["01", "-0", "+1", "1.0", "9223372036854775808", "-9223372036854775809", "١", "-", "0x1"] {
      #expect(throws: LinkError.self) { try route("boundaries://stories/\(wrong)") }
    }
  }

  @Test("cannot print what has no link, or an empty segment")
  func cannotPrintHasNo() {
    let some = Links<AppRoute>(scheme: "x") { Link("stories", to: .stories) }
    #expect(throws: LinkPrintingError.noLink("home")) { try some.link(to: .home) }
    #expect(throws: LinkPrintingError.unprintable(placeholder: "word", in: "words/:word")) {
      try appLinks.link(to: .words(.word("")))
    }
    #expect(throws: LinkPrintingError.unknownHost("x.example", known: [])) {
      try some.universalLink(to: .stories, host: "x.example")
    }
  }

  @Test("print by the link that a switch names, and by no other")
  func printBySwitch() throws {
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
    #expect(try links.link(to: "21") == "x://text/21", "the first link would do, but the switch says another")
    #expect(throws: LinkPrintingError.noLink("1a")) { try links.link(to: "1a") }
    #expect(throws: LinkPrintingError.noLink("?")) { try links.link(to: "?") }
  }

  @Test("print by the one of two links of the same template that a switch names")
  func printBySameTemplate() throws {
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

  @Test("of a large app are added by a function, and are the same as in a block")
  func areAddedByFunction() throws {
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

  @Test("are tried in the order of their declaration, also where a literal stands beside a placeholder")
  func literalsAreTriedInOrder() throws {
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

  @Test("are tried in the order of their declaration")
  func areTriedOrderTheir() throws {
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

  @Test("say that a fragment is there once, and that nothing is optional or repeated twice; neither is printed")
  func sayWhatCannotComeBack() {
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
    #expect(fixed.problems == [], "the fragment is not what is repeated")
  }

  @Test("say what is wrong with their declaration")
  func sayWrongTheirDeclaration() {
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
