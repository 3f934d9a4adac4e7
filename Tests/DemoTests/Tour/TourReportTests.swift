import Foundation
import ImageSnapshotting
import SnapshotAssertions
import Terminal
import Testing

@testable import Demo

@Suite("Report of the tour")
struct TourReportTests {
  /// Returns events at 0.02, 0.04, 0.06 … seconds.
  private static func events(_ events: TimelineEvent...) -> [TimelineEvent] {
    events.enumerated().map { index, event in
      var event = event
      event.at = Double(index + 1) / 50
      return event
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
        .success(
          TourVisit(
            summary: "taken",
            exhibits: [
              .timeline(
                "Events",
                events(
                  TimelineEvent(.push, "connecting"), TimelineEvent(.http, "PUT sent"),
                  TimelineEvent(.server, "fault: status 503 for <PUT> & more", kind: .failure),
                  TimelineEvent(.http, "PUT failed: " + String(repeating: "very ", count: 30), kind: .failure),
                  TimelineEvent(.end, "accepted, with details", kind: .result)))
            ]))
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

  @Test("the table has a row for each station, and fits in a narrow terminal")
  func table() {
    #expect(
      Self.report.table(width: nil) == [
        "Station                  Time          Result",
        "Birds over HTTP       0.085 s  ok      1 bird",
        "Order with faults     1.251 s  ok      taken",
        "Snapshot differences  2.000 s  ok      found",
        "Simulations           0.999 s  FAILED  seed 7: <violated> at step 12",
      ])
    #expect(Self.report.table(width: 50).allSatisfy { $0.count <= 50 })
    #expect(Self.report.sentence == "1 of 4 stations failed in 4.335 s: Simulations.")
  }

  @Test("every kind of exhibit escapes its content")
  func exhibitsAreEscaped() throws {
    let nasty = "</pre><script>alert(\"&amp;\")</script>\u{1B}[0m\u{0}"
    let exhibits: [TourExhibit] = [
      .text(nasty, nasty), .lines(nasty, "+\(nasty)\n-\(nasty)"), .picture(nasty, png: Data()),
      .timeline(nasty, [TimelineEvent(.http, nasty)]),
      .comparison(nasty, old: Data(), new: Data(), marked: Data()),
    ]
    let stop = TourStop(
      station: .birds, time: .zero, outcome: .success(TourVisit(summary: nasty, exhibits: exhibits)))
    let html = TourReport(stops: [stop], time: .zero, seed: 1, isFast: true).html
    #expect(!html.contains("<script") && !html.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
  }
}

extension Snapshotting where Value == String, Format == String {
  fileprivate static var html: Snapshotting { Snapshotting(pathExtension: "html", diffing: .lines) }
}
