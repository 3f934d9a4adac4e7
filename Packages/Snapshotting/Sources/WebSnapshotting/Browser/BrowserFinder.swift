internal import Foundation

/// Finds a browser, and explains how to install one.
struct BrowserFinder {
  let isExecutable: (String) -> Bool
  let path: [String]

  /// The names of browsers, in the order of preference.
  static let names = [
    "chromium-headless-shell", "chrome-headless-shell", "chromium", "chromium-browser", "google-chrome-stable",
    "google-chrome", "microsoft-edge-stable", "microsoft-edge",
  ]

  static let applications = [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
  ]

  /// - Throws: ``WebError`` that explains how to install a browser.
  func find(_ wanted: String?) throws(WebError) -> String {
    if let wanted {
      if let found = wanted.contains("/") ? (isExecutable(wanted) ? wanted : nil) : command(wanted) { return found }
      let isFile = wanted.contains("/") && access(wanted, F_OK) == 0
      throw WebError(
        kind: .noBrowser,
        description:
          "Cannot find the browser \(wanted): \(isFile ? "it is not an executable program" : "the program does not exist"). "
          + "Correct \(Browser.Variables.browser) or "
          + "the configuration of the browser, or set neither to search for one.")
    }
    for name in Self.names {
      if let found = command(name) { return found }
    }
    if let found = Self.applications.first(where: isExecutable) { return found }
    throw WebError(
      kind: .noBrowser,
      description: "Cannot find a browser for web pages. Install Chromium or Chrome, for example with "
        + "`apt-get install chromium-headless-shell fonts-dejavu-core` on Debian, or Chrome from "
        + "https://www.google.com/chrome on Ubuntu, whose Chromium cannot be automated. Or set "
        + "\(Browser.Variables.browser) to the path of Chromium, Chrome or Edge. Searched for: "
        + "\(Self.names.joined(separator: ", ")).")
  }

  /// On Debian, `/usr/bin` has a shell script for each browser.
  ///
  /// The program behind the script is preferred to it.
  private func command(_ name: String) -> String? {
    guard let folder = path.first(where: { !$0.isEmpty && isExecutable("\($0)/\(name)") }) else { return nil }
    let program = "/usr/lib/chromium/\(name)"
    return folder == "/usr/bin" && isExecutable(program) ? program : "\(folder)/\(name)"
  }
}
