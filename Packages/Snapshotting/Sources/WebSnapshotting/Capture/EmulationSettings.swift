internal import Foundation

struct EmulationSettings: Hashable, Sendable {
  let viewport: WebPage.Viewport
  let appearance: WebPage.Appearance
  let animates: Bool
  let timeZone: String
  let now: Date?

  init(_ page: WebPage) {
    (viewport, appearance, animates) = (page.viewport, page.appearance, page.animates)
    (timeZone, now) = (page.timeZone, page.now)
  }

  /// The commands that set everything except the clock.
  var commands: [Command] {
    let scheme: JSONValue = appearance == .dark ? "dark" : "light"
    let motion: JSONValue = animates ? "no-preference" : "reduce"
    return [
      Command(
        "Emulation.setDeviceMetricsOverride",
        [
          "width": .number(Double(viewport.width)), "height": .number(Double(viewport.height)),
          "deviceScaleFactor": .number(viewport.scale), "mobile": false,
        ]),
      Command(
        "Emulation.setEmulatedMedia",
        [
          "features": [
            ["name": "prefers-color-scheme", "value": scheme], ["name": "prefers-reduced-motion", "value": motion],
          ]
        ]),
      // Cleared first, because the browser accepts an unknown zone as a repetition of the current one.
      Command("Emulation.setTimezoneOverride", ["timezoneId": ""]),
      Command("Emulation.setTimezoneOverride", ["timezoneId": .string(timeZone)]),
    ]
  }
}
