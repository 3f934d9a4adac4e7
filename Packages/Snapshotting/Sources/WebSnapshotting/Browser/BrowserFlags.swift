enum BrowserFlags {
  static func arguments(_ options: Browser.Configuration, profile: String) -> [String] {
    base + (options.sandbox == .off ? ["--no-sandbox"] : []) + ["--user-data-dir=\(profile)"]
  }

  private static let base =
    headless + quiet + sameEverywhere + fast + [
      // The frames of a page share its process, so that its session controls all of them.
      "--disable-site-isolation-trials", "--disable-features=\(disabledFeatures.joined(separator: ","))",
      // No page reaches a network without the proxy of its context.
      "--force-webrtc-ip-handling-policy=disable_non_proxied_udp", "--dns-prefetch-disable", "--disable-quic",
      // The limit for the objects of scripts; see also `MemoryMonitor`.
      "--js-flags=--max-old-space-size=512",
    ]

  private static let headless = ["--headless", "--remote-debugging-pipe"]

  /// No requests except those of pages.
  private static let quiet = [
    "--no-first-run", "--no-default-browser-check", "--no-service-autorun", "--disable-background-networking",
    "--disable-client-side-phishing-detection", "--disable-component-update", "--disable-default-apps",
    "--disable-domain-reliability", "--disable-extensions", "--disable-sync", "--disable-breakpad",
    "--disable-crash-reporter", "--metrics-recording-only", "--mute-audio", "--password-store=basic",
    "--use-mock-keychain", "--disable-search-engine-choice-screen", "--disable-prompt-on-repost",
    "--disable-hang-monitor",
    "--disable-popup-blocking", "--block-new-web-contents",
  ]

  /// Equal pixels on any machine.
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
    // An emptied tab keeps its frame, which takes half the time of a new one.
    "RenderDocument",
  ]

  /// The temporary folder is the working directory, because the path of a socket has a maximum length.
  static func environment(path: String?, home: String, fontsFile: String?) -> [String] {
    var variables = [
      "PATH=\(path ?? "/usr/bin:/bin")", "HOME=\(home)", "TMPDIR=.", "XDG_CONFIG_HOME=\(home)",
      "LANG=C.UTF-8", "LANGUAGE=en_US", "TZ=UTC",
    ]
    if let fontsFile { variables.append("FONTCONFIG_FILE=\(fontsFile)") }
    return variables
  }
}
