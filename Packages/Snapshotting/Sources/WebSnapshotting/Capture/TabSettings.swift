internal import Foundation

/// The world that a tab shows to its pages, as far as it was set: a value, so that only what is different has to be set.
struct TabSettings: Hashable, Sendable {
  private(set) var viewport: WebPage.Viewport?
  private(set) var appearance: WebPage.Appearance?
  private(set) var animates: Bool?
  private(set) var timeZone: String?
  private(set) var now: Date?
  /// Whether requests wait to be decided on.
  private(set) var intercepts = false
  /// The browser's name for the script that makes the clock stand.
  private(set) var clockScript: String?

  /// The commands after which a tab with these settings is as a page wants it.
  func commands(for page: WebPage) -> [Command] {
    var commands: [Command] = []
    if viewport != page.viewport {
      commands.append(
        Command(
          "Emulation.setDeviceMetricsOverride",
          [
            "width": .number(Double(page.viewport.width)), "height": .number(Double(page.viewport.height)),
            "deviceScaleFactor": .number(page.viewport.scale), "mobile": false,
          ]))
    }
    if appearance != page.appearance || animates != page.animates {
      let scheme: JSONValue = page.appearance == .dark ? "dark" : "light"
      let motion: JSONValue = page.animates ? "no-preference" : "reduce"
      commands.append(
        Command(
          "Emulation.setEmulatedMedia",
          [
            "features": [
              ["name": "prefers-color-scheme", "value": scheme], ["name": "prefers-reduced-motion", "value": motion],
            ]
          ]))
    }
    if timeZone != page.timeZone {
      // Cleared first: the browser takes a zone that there is not for no change of one that was set.
      commands.append(Command("Emulation.setTimezoneOverride", ["timezoneId": ""]))
      commands.append(Command("Emulation.setTimezoneOverride", ["timezoneId": .string(page.timeZone)]))
    }
    if let now = page.now, now != self.now {
      commands.append(
        Command(
          "Page.addScriptToEvaluateOnNewDocument",
          ["source": .string(Scripts.freezing(now)), "runImmediately": true]))
    }
    if intercepts != page.interceptsRequests {
      commands.append(
        intercepts ? Command("Fetch.disable") : Command("Fetch.enable", ["patterns": [["urlPattern": "*"]]]))
    }
    return commands
  }

  /// Whether the window that the tab has now is one whose clock stands at another instant than a page wants.
  func hasOtherClock(than page: WebPage) -> Bool {
    now != nil && now != page.now
  }

  /// Lets the clocks of windows to come go.
  mutating func removeClock() -> [Command] {
    now = nil
    guard let script = clockScript.take() else { return [] }
    return [Command("Page.removeScriptToEvaluateOnNewDocument", ["identifier": .string(script)])]
  }

  /// Notes that the commands for a page were carried out.
  ///
  /// - Parameter replies: The replies to them.
  mutating func change(for page: WebPage, _ replies: some Sequence<JSONValue>) {
    viewport = page.viewport
    appearance = page.appearance
    animates = page.animates
    timeZone = page.timeZone
    intercepts = page.interceptsRequests
    if page.now != now { clockScript = replies.lazy.compactMap { $0["identifier"]?.string }.first { _ in true } }
    now = page.now
  }
}
