import Coordinators
import Foundation
import TestSupport

enum Tone: String, CaseIterable, Hashable, Sendable { case formal, casual, rude = "very rude/é" }

enum WordRoute: Hashable, Sendable {
  case list
  case word(String)
  case search(String, tags: [String])
}

enum AppRoute: Hashable, Sendable {
  case home
  case stories
  case newest
  case story(Int, ref: String?)
  case comment(Int, Int)
  case user(UUID)
  case message(String, section: String?)
  case help
  case day(Date)
  case since(String, tone: Tone)
  case page(Int?)
  case file([String], versions: [Int])
  case words(WordRoute)
}

extension LinkValue where Value == Date {
  static var day: LinkValue {
    let format = Date.ISO8601FormatStyle().year().month().day()
    return LinkValue("a date such as 2017-03-02") { text in
      (try? format.parse(text)).flatMap { format.format($0) == text ? $0 : nil }
    } print: {
      format.format($0)
    }
  }
}

let wordLinks = Links<WordRoute>.declarations {
  Link("", to: .list)
  Link("search?q=:q&tag=:tag", .string, .repeated(.string)) {
    WordRoute.search($0, tags: $1)
  } from: {
    if case .search(let text, let tags) = $0 { (text, tags) } else { nil }
  }
  Link(":word", .string) {
    WordRoute.word($0)
  } from: {
    if case .word(let word) = $0 { word } else { nil }
  }
}

let appLinks = Links<AppRoute>(scheme: "boundaries", hosts: ["boundaries.example", "www.Boundaries.example"]) {
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
  Link("users/:id", .uuid) {
    AppRoute.user($0)
  } from: {
    if case .user(let id) = $0 { id } else { nil }
  }
  Link("messages/:id#:section", .string, .optional(.string)) {
    AppRoute.message($0, section: $1)
  } from: {
    if case .message(let id, let section) = $0 { (id, section) } else { nil }
  }
  Link("messages#help", to: .help)
  Link("days/:day", .day) {
    AppRoute.day($0)
  } from: {
    if case .day(let day) = $0 { day } else { nil }
  }
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
  Link("files/:path?v=:version", .repeated(.string), .repeated(.int)) {
    AppRoute.file($0, versions: $1)
  } from: {
    if case .file(let path, let versions) = $0 { (path, versions) } else { nil }
  }
  LinkGroup("words", wordLinks) {
    AppRoute.words($0)
  } from: {
    if case .words(let route) = $0 { route } else { nil }
  }
}

var anyRoute: Generator<AppRoute> {
  let text = Generator<String>.unicodeString
  let segment = text.map { $0.isEmpty ? ".." : $0 }
  let day = Generator<Int>.int(in: -719_162...2_932_896)
  return .oneOf([
    .element(of: [.home, .stories, .newest, .help, .words(.list)]),
    Generator<(Int, String?)>.zip(.int, text.optional).map { AppRoute.story($0.0, ref: $0.1) },
    Generator<(Int, Int)>.zip(.int, .int).map { AppRoute.comment($0.0, $0.1) },
    Generator<UInt64>.uint64.map { bits in
      AppRoute.user(
        UUID(uuidString: String(format: "%08x-0000-4000-8000-%012x", bits >> 32, bits & 0xFFFF_FFFF)) ?? UUID())
    },
    Generator<(String, String?)>.zip(segment, text.optional).map { AppRoute.message($0.0, section: $0.1) },
    day.map { AppRoute.day(Date(timeIntervalSince1970: Double($0) * 86_400)) },
    Generator<(String, Tone)>.zip(segment, .element(of: Tone.allCases)).map { AppRoute.since($0.0, tone: $0.1) },
    Generator<Int>.int.optional.map { AppRoute.page($0) },
    Generator<([String], [Int])>.zip(segment.array(count: 0...4), .array(of: .int, count: 0...3)).map {
      AppRoute.file($0.0, versions: $0.1)
    },
    segment.map { AppRoute.words(.word($0 == "search" ? "zoek" : $0)) },
    Generator<(String, [String])>.zip(text, text.array(count: 0...3)).map { AppRoute.words(.search($0.0, tags: $0.1)) },
  ])
}
