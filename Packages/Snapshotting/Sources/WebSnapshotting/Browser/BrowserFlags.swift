/// The flags that a browser is started with.
enum BrowserFlags {
  /// - Parameters:
  ///   - options: How the browser is to be.
  ///   - profile: The folder for what the browser writes.
  static func arguments(_ options: Browser.Configuration, profile: String) -> [String] {
    base + (options.sandbox == .off ? ["--no-sandbox"] : []) + ["--user-data-dir=\(profile)"]
  }

  private static let base =
    headless + quiet + sameEverywhere + fast + [
      // Pages of one capture share a process, so that what one session sets and intercepts holds for all of its frames.
      "--disable-site-isolation-trials", "--disable-features=\(disabledFeatures.joined(separator: ","))",
      // No page gets to a network past the proxy that its context was given.
      "--force-webrtc-ip-handling-policy=disable_non_proxied_udp", "--dns-prefetch-disable", "--disable-quic",
      // A page that allocates without end is stopped before the machine is out of memory; see also `MemoryWatch`.
      "--js-flags=--max-old-space-size=512",
    ]

  private static let headless = ["--headless", "--remote-debugging-pipe"]

  /// Nothing but the pages that are asked for.
  private static let quiet = [
    "--no-first-run", "--no-default-browser-check", "--no-service-autorun", "--disable-background-networking",
    "--disable-client-side-phishing-detection", "--disable-component-update", "--disable-default-apps",
    "--disable-domain-reliability", "--disable-extensions", "--disable-sync", "--disable-breakpad",
    "--disable-crash-reporter", "--metrics-recording-only", "--mute-audio", "--password-store=basic",
    "--use-mock-keychain", "--disable-search-engine-choice-screen", "--disable-prompt-on-repost",
    "--disable-hang-monitor",
    "--disable-popup-blocking", "--block-new-web-contents",
  ]

  /// The same pixels on any machine.
  private static let sameEverywhere = [
    "--force-color-profile=srgb", "--force-device-scale-factor=1", "--font-render-hinting=none", "--disable-lcd-text",
    "--disable-font-subpixel-positioning", "--hide-scrollbars", "--lang=en-US", "--disable-gpu",
    "--disable-partial-raster", "--disable-skia-runtime-opts", "--blink-settings=imageAnimationPolicy=2",
  ]

  private static let fast = [
    "--in-process-gpu", "--disable-software-rasterizer", "--disable-frame-rate-limit", "--disable-dev-shm-usage",
    "--disable-background-timer-throttling", "--disable-renderer-backgrounding",
    "--disable-backgrounding-occluded-windows", "--disable-ipc-flooding-protection", "--no-pings",
  ]

  private static let disabledFeatures = [
    "AcceptCHFrame", "AutofillServerCommunication", "BackForwardCache", "IsolateOrigins", "LazyFrameLoading",
    "MediaRouter", "OptimizationHints", "PaintHolding", "Translate", "site-per-process",
    // A tab that is emptied keeps its frame, which takes half the time of getting another.
    "RenderDocument",
  ]

  /// What the browser finds in its environment: nothing of the user's.
  ///
  /// The folder that it starts in is that for what goes: the name of a socket there, whose length has a limit, is short then.
  static func environment(path: String?, home: String, fontsFile: String?) -> [String] {
    var variables = [
      "PATH=\(path ?? "/usr/bin:/bin")", "HOME=\(home)", "TMPDIR=.", "XDG_CONFIG_HOME=\(home)",
      "LANG=C.UTF-8", "LANGUAGE=en_US", "TZ=UTC",
    ]
    if let fontsFile { variables.append("FONTCONFIG_FILE=\(fontsFile)") }
    return variables
  }
}
