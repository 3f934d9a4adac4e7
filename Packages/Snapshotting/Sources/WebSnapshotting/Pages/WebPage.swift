public import Foundation

/// A web page, and the conditions under which it is captured.
///
/// ```swift
/// let page = WebPage(html: "<h1>Welcome to Point-Free!</h1>", viewport: WebPage.Viewport(width: 640, height: 480))
/// await expectSnapshot(of: page, as: .image)
/// ```
///
/// A page is a value: it is loaded when it is captured. Concurrent captures never share a browser context, and a capture never finds a
/// cookie, a cache or storage of another one.
///
/// **Untrusted pages.** The network is off unless ``network`` allows it. A page cannot read files, except that a page from a file reads its
/// own folder and subfolders, after symbolic links are resolved. The address and the network of the page do not change that.
///
/// **Navigation.** A page that reloads itself or navigates is captured where it comes to rest. The capture fails if there is no
/// response, if ``network`` refuses it, or if the status is a failure without content. A document is captured whatever its status is.
///
/// **Reproducible.** The clock, the time zone, the language, the fonts, animations and the caret are fixed by default, so that the same
/// page gives the same image. An image of a page with scripts is repeated until two frames in a row are equal.
///
/// Source: the web view of *Async Functional Refactoring*.
public struct WebPage: Sendable, Hashable {
  public enum Content: Sendable, Hashable {
    /// A document as text.
    ///
    /// Links are relative to the base URL, which is not requested. It has the scheme `http`, `https` or `file`.
    case html(String, baseURL: URL?)
    case file(URL)
    /// The document at an address. It needs ``WebPage/network``, unless it is the address of a file.
    case url(URL)
  }

  public var content: Content
  public var viewport: Viewport
  public var appearance: Appearance
  /// The time zone, by its name in the IANA database.
  public var timeZone: String
  /// The instant that all clocks of the page show; `nil` for running clocks.
  ///
  /// The clocks are `Date`, `Intl.DateTimeFormat` without a date, `Temporal.Now`, `document.lastModified` and `performance.timeOrigin`, in
  /// windows, frames and dedicated workers. `performance.now()`, `performance.timing`, timers, animation frames and `lastModified` of a new
  /// `File` run, and so do the clocks of shared workers and service workers.
  public var now: Date?
  public var network: Network
  /// Whether animations and transitions run.
  ///
  /// Otherwise finite animations are at their end, and infinite animations are cancelled.
  ///
  /// This includes frames and shadow trees. The page sees the preference for reduced motion. A `<marquee>` shows its text at rest, a
  /// `<progress>` without a value an empty track, and a `<video>` its first frame. Animated images and SVG animations (`<animate>`) are
  /// at their beginning in any case. Animations with a scroll timeline depend on the scroll position.
  ///
  /// If this is true, an image is not repeated until two frames are equal.
  public var animates: Bool
  /// CSS selectors of elements that are covered with one colour.
  ///
  /// All matching elements are covered, also in frames and shadow trees, as far as they are visible in their own document. The image
  /// is painted, so no style of the page affects the cover.
  ///
  /// The cover of an element in a frame ignores the clipping of the frame as a whole. It may then be too large, but never too small.
  public var masks: [String]
  public var area: Area
  /// The conditions that must hold before the page is captured, in addition to its load event.
  public var readiness: [Readiness]
  /// The time limit of a capture: for a browser tab, the loading, and the snapshot together.
  ///
  /// The start of the browser and the wait for a free tab do not count. After the limit, the error collects diagnostic files for at most
  /// one second.
  public var timeout: Duration

  /// The default instant of pages: 17 December 2018, 12:00 UTC, a Monday.
  public static let usualNow = Date(timeIntervalSince1970: 1_545_048_000)

  public init(
    _ content: Content, viewport: Viewport = Viewport(), appearance: Appearance = .light, timeZone: String = "UTC",
    now: Date? = WebPage.usualNow, network: Network = .off, animates: Bool = false, masks: [String] = [],
    area: Area = .viewport, readiness: [Readiness] = [.fonts], timeout: Duration = .seconds(30)
  ) {
    self.content = content
    self.viewport = viewport
    self.appearance = appearance
    self.timeZone = timeZone
    self.now = now
    self.network = network
    self.animates = animates
    self.masks = masks
    self.area = area
    self.readiness = readiness
    self.timeout = timeout
  }

  /// Creates a page from HTML text.
  ///
  /// `baseURL` is the base of links and the origin of the page. It is not requested.
  public init(html: String, baseURL: URL? = nil, viewport: Viewport = Viewport(), network: Network = .off) {
    self.init(.html(html, baseURL: baseURL), viewport: viewport, network: network)
  }

  /// Creates a page from a file of this machine, which can read files in the same folder and below.
  public init(file: URL, viewport: Viewport = Viewport(), network: Network = .off) {
    self.init(.file(file), viewport: viewport, network: network)
  }

  /// Creates a page from an address.
  public init(url: URL, viewport: Viewport = Viewport(), network: Network = .on) {
    self.init(.url(url), viewport: viewport, network: network)
  }
}
