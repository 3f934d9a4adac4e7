import Foundation
import Testing

@testable import WebSnapshotting

@Suite("What a tab is set to")
struct TabSettingsTests {
  private let page = WebPage(html: "<p>")

  private func methods(_ settings: TabSettings, _ page: WebPage) -> [String] {
    settings.commands(for: page).map(\.method)
  }

  private func settings(for page: WebPage) -> TabSettings {
    var settings = TabSettings()
    settings.change(for: page, [[:], [:], [:], [:], ["identifier": "7"]])
    return settings
  }

  @Test("Everything is set at first, and then only what another page wants otherwise")
  func differences() {
    #expect(
      methods(TabSettings(), page) == [
        "Emulation.setDeviceMetricsOverride", "Emulation.setEmulatedMedia", "Emulation.setTimezoneOverride",
        "Emulation.setTimezoneOverride", "Page.addScriptToEvaluateOnNewDocument",
      ])
    let settings = settings(for: page)
    #expect(methods(settings, page).isEmpty)
    var other = page
    other.viewport.scale = 2
    #expect(methods(settings, other) == ["Emulation.setDeviceMetricsOverride"])
    other = page
    other.appearance = .dark
    #expect(methods(settings, other) == ["Emulation.setEmulatedMedia"])
    other = page
    other.animates = true
    #expect(methods(settings, other) == ["Emulation.setEmulatedMedia"])
    other = page
    other.timeZone = "Asia/Tokyo"
    #expect(methods(settings, other) == ["Emulation.setTimezoneOverride", "Emulation.setTimezoneOverride"])
  }

  @Test("Requests wait to be decided on for the pages that ask for something, and no longer")
  func interception() {
    let addressed = WebPage(html: "<p>", baseURL: URL(string: "https://birds.example/"))
    var settings = settings(for: page)
    #expect(methods(settings, addressed) == ["Fetch.enable"])
    settings.change(for: addressed, [[:]])
    #expect(methods(settings, addressed).isEmpty)
    #expect(methods(settings, page) == ["Fetch.disable"])
    settings.change(for: page, [[:]])
    #expect(methods(settings, addressed) == ["Fetch.enable"])
  }

  @Test("A clock that stands at another instant goes with its window, and one that goes is only stopped")
  func clocks() {
    var settings = settings(for: page)
    var other = page
    other.now = nil
    #expect(!settings.hasOtherClock(than: page) && settings.hasOtherClock(than: other))
    #expect(
      settings.removeClock() == [Command("Page.removeScriptToEvaluateOnNewDocument", ["identifier": "7"])])
    #expect(settings.removeClock().isEmpty)
    #expect(methods(settings, other).isEmpty && !settings.hasOtherClock(than: page))
    #expect(methods(settings, page) == ["Page.addScriptToEvaluateOnNewDocument"])
  }
}
