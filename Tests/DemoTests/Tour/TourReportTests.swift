import Foundation
import ImageSnapshotting
import SnapshotAssertions
import Terminal
import Testing

@testable import Demo

@Suite("Report of the tour")
struct TourReportTests {
  private static let marks = [
    TimelineMark(time: .milliseconds(20), lane: "push", text: "connecting"),
    TimelineMark(time: .milliseconds(50), lane: "http", text: "PUT 1 sent"),
    TimelineMark(time: .milliseconds(71), lane: "server", kind: .failure, text: "fault: status 503 for <PUT> & more"),
    TimelineMark(
      time: .milliseconds(87), lane: "http", kind: .failure,
      text: "PUT 1 failed: " + String(repeating: "very ", count: 30)),
    TimelineMark(time: .milliseconds(92), lane: "wait", text: "0.391 s"),
    TimelineMark(time: .milliseconds(400), lane: "crash", kind: .failure, text: "killed (SIGKILL)"),
    TimelineMark(time: .milliseconds(500), lane: "unheard of", text: "on a lane of its own"),
    TimelineMark(time: .milliseconds(1_492), lane: "push", kind: .result, text: "accepted, first reported by a push"),
    TimelineMark(time: .milliseconds(1_500), lane: "end", kind: .result, text: "accepted, with details"),
  ]

  @Test("the timeline of an order matches its drawing")
  func timeline() async {
    await expectSnapshot(of: TimelineDrawing(marks: Self.marks).svg, as: .svg)
  }

  @Test("an empty timeline, a single event and simultaneous events make valid drawings")
  func smallTimelines() throws {
    for marks in [[], [Self.marks[0]], [Self.marks[0], Self.marks[0]]] {
      let svg = TimelineDrawing(marks: marks).svg
      #expect(!svg.contains("nan") && !svg.contains("inf"))
      #expect(svg.components(separatedBy: "<circle").count - 1 == marks.count)
      try Self.expectWellFormed(svg)
    }
  }

  private static let report: TourReport = {
    let png = Data("not a picture".utf8)
    let visits: [(Station, Int, Result<TourVisit, DemoError>)] = [
      (
        .birds, 85,
        .success(
          TourVisit(
            summary: "1 bird", exhibits: [.picture("\"Puffin\"", png: png), .text("Words", "a < b\n&\u{1B}[31m")]))
      ),
      (
        .orderWithFaults, 1_251,
        .success(TourVisit(summary: "taken", exhibits: [.timeline("Events", Array(marks.prefix(2)))]))
      ),
      (
        .snapshots, 2_000,
        .success(
          TourVisit(
            summary: "found",
            exhibits: [
              .lines("A list", "@@ −1,2 +1,2 @@\n one\n−<two>\n+three"),
              .comparison("A bird", old: png, new: png, marked: png),
            ]))
      ), (.simulations, 999, .failure(DemoError("seed 7: <violated> at step 12\nsecond line"))),
    ]
    let stops = visits.map { TourStop(station: $0, time: .milliseconds($1), outcome: $2) }
    return TourReport(stops: stops, time: .milliseconds(4_335), seed: 7, isFast: false)
  }()

  @Test("the report page is self-contained and matches its snapshot")
  func page() async throws {
    let html = Self.report.html
    await expectSnapshot(of: html, as: .html)
    #expect(!html.contains("http://www.w3.org/1999"))
    let sources = html.matches(of: #/(?:src|href)="([^"]*)"/#).map(\.1)
    #expect(!sources.isEmpty && sources.allSatisfy { $0.hasPrefix("data:") || $0.hasPrefix("#") })
  }

  @Test("the table has a row for each station, and wraps results in a narrow terminal")
  func table() {
    #expect(
      Self.report.table(width: .max) == [
        "Station               Packages                Time          Result",
        "Birds over HTTP       Futures, Loopback      85 ms  ok      1 bird",
        "Order with faults     OrderTaking, Futures   1.3 s  ok      taken",
        "Snapshot differences  Snapshotting           2.0 s  ok      found",
        "Simulations           OrderTaking           999 ms  FAILED  seed 7: <violated> at step 12",
      ])
    #expect(Self.report.table(width: 80).first == "Station                 Time          Result")
    #expect(Self.report.table(width: 50).last == String(repeating: " ", count: 38) + "at step 12")
    #expect(Self.report.sentence == "1 of 4 stations failed in 4.3 s: Simulations.")
  }

  @Test("every kind of exhibit is well-formed HTML with any content")
  func exhibitsAreWellFormed() throws {
    let nasty = "</pre><script>alert(\"&amp;\")</script>\u{1B}[0m\u{0}"
    let exhibits: [TourExhibit] = [
      .text(nasty, nasty), .lines(nasty, "+\(nasty)\n-\(nasty)"), .picture(nasty, png: Data()),
      .timeline(nasty, [TimelineMark(time: .zero, lane: nasty, text: nasty)]),
      .comparison(nasty, old: Data(), new: Data(), marked: Data()),
    ]
    let stop = TourStop(
      station: .birds, time: .zero, outcome: .success(TourVisit(summary: nasty, exhibits: exhibits)))
    let html = TourReport(stops: [stop], time: .zero, seed: 1, isFast: true).html
    #expect(!html.contains("<script") && !html.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
    let body = html.components(separatedBy: "<body>")[1].components(separatedBy: "</body>")[0]
    // HTML does not close `img` elements, so close them before the check.
    try Self.expectWellFormed(
      "<body>" + body.replacing(#/(<img [^>]*)>/#) { "\($0.output.1)/>" } + "</body>")
  }

  /// Checks that tags are closed in order and that special characters are escaped.
  private static func expectWellFormed(_ text: String) throws {
    var open: [Substring] = []
    for tag in text.matches(of: #/<(\/?)([a-z0-9]+)((?: [a-zA-Z0-9-]+="[^"<>]*")*)(\/?)>/#) {
      if tag.output.1 == "/" {
        try #require(open.popLast() == tag.output.2, "</\(tag.output.2)>")
      } else if tag.output.4.isEmpty {
        open.append(tag.output.2)
      }
    }
    #expect(open.isEmpty)
    let bare = text.replacing(#/<(\/?)([a-z0-9]+)((?: [a-zA-Z0-9-]+="[^"<>]*")*)(\/?)>/#, with: "")
    #expect(!bare.contains("<") && !bare.replacing(#/&(amp|lt|gt|quot);/#, with: "").contains("&"))
  }
}

extension Snapshotting where Value == String, Format == String {
  fileprivate static var svg: Snapshotting { Snapshotting(pathExtension: "svg", diffing: .lines) }
  fileprivate static var html: Snapshotting { Snapshotting(pathExtension: "html", diffing: .lines) }
}
