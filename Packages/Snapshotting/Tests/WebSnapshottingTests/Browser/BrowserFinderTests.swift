import Testing

@testable import WebSnapshotting

@Suite("Search for a browser")
struct BrowserFinderTests {
  private func finder(_ programs: Set<String>) -> BrowserFinder {
    BrowserFinder(isExecutable: programs.contains, path: ["/usr/local/bin", "/usr/bin"])
  }

  @Test("the first browser in the order of preference is used, and Debian's program instead of its script")
  func orderOfPreference() throws {
    #expect(try finder(["/usr/bin/google-chrome", "/usr/local/bin/chromium"]).find(nil) == "/usr/local/bin/chromium")
    let debian = finder(["/usr/bin/chromium-headless-shell", "/usr/lib/chromium/chromium-headless-shell"])
    #expect(try debian.find(nil) == "/usr/lib/chromium/chromium-headless-shell")
  }

  @Test("a browser in an earlier folder of PATH is preferred to Debian's")
  func pinned() throws {
    let finder = finder(["/usr/local/bin/chromium", "/usr/bin/chromium", "/usr/lib/chromium/chromium"])
    #expect(try finder.find("chromium") == "/usr/local/bin/chromium")
    #expect(try finder.find(nil) == "/usr/local/bin/chromium")
  }

  @Test("a wanted browser is found by its path or its name")
  func wanted() throws {
    let finder = finder(["/opt/chrome", "/usr/bin/microsoft-edge", "/usr/bin/chromium"])
    #expect(try finder.find("/opt/chrome") == "/opt/chrome")
    #expect(try finder.find("microsoft-edge") == "/usr/bin/microsoft-edge")
    for (path, reason) in [
      ("/opt/none", "the program does not exist"), ("/etc/passwd", "it is not an executable program"),
    ] {
      let error = #expect(throws: WebError.self) { try finder.find(path) }
      #expect(error?.description.contains("\(path): \(reason). Correct") == true)
    }
  }

  @Test("without a browser, the error explains how to install one")
  func advice() throws {
    let error = try #require(throws: WebError.self) { try finder([]).find(nil) }
    #expect(error.kind == .noBrowser)
    for words in ["apt-get install chromium-headless-shell", "google.com/chrome", "WEB_SNAPSHOTTING_BROWSER"] {
      #expect(error.description.contains(words))
    }
  }

  @Test("environment variables set the browser and turn the sandbox off")
  func environment() {
    let options = Browser.Configuration(environment: [
      "WEB_SNAPSHOTTING_BROWSER": "chromium", "WEB_SNAPSHOTTING_SANDBOX": "off",
    ])
    #expect(options.executable == "chromium" && options.sandbox == .off)
    #expect(Browser.Configuration(environment: [:]).sandbox == .on)
    #expect(Browser.Configuration(environment: ["WEB_SNAPSHOTTING_SANDBOX": "yes"]).sandbox == .on)
  }

  @Test("arguments of a configuration override the environment")
  func given() {
    let environment = ["WEB_SNAPSHOTTING_BROWSER": "chromium", "WEB_SNAPSHOTTING_SANDBOX": "off"]
    let fonts = Browser.Configuration(fonts: .system, environment: environment)
    #expect(fonts.executable == "chromium" && fonts.sandbox == .off && fonts.fonts == .system)
    let both = Browser.Configuration(executable: "edge", sandbox: .on, environment: environment)
    #expect(both.executable == "edge" && both.sandbox == .on)
  }
}
