public import Foundation

/// A web page to be captured: what it is, and the world that it is shown in.
///
/// ```swift
/// let page = WebPage(html: "<h1>Welcome to Point-Free!</h1>", viewport: WebPage.Viewport(width: 640, height: 480))
/// await expectSnapshot(of: page, as: .image)
/// ```
///
/// A page is a value: nothing is loaded until it is captured. No two captures share a browser context at one time, and
/// none finds a cookie, cache or storage of another.
///
/// **Pages are untrusted.** A page has no network unless ``network`` gives it one, and reads no file, but a page that is a file may
/// show the files of its own folder and below, where links are followed first: a link that leads out of the folder shows nothing.
/// That is so with a network, too, and whether it is named as a file or by an address.
///
/// **Pages may go elsewhere.** What is captured is where a page rests that reloads itself or sends its visitor on. Where there is nothing (no
/// answer, one that ``network`` does not give, a failure without a document) the capture fails; a document is shown, whatever its status.
///
/// **The same each time.** The clock, the time zone, the language, the fonts, animations and the caret are fixed unless a page
/// is told otherwise, so that the same page makes the same picture.
///
/// Source: the web view of *Async Functional Refactoring*.
public struct WebPage: Sendable, Hashable {
  /// What is shown.
  public enum Content: Sendable, Hashable {
    /// A document as text; links are relative to `baseURL`, which is not asked for anything itself.
    ///
    /// A base URL that is not of `http`, `https` or `file` is an error of the capture.
    case html(String, baseURL: URL?)
    /// A file of this machine.
    case file(URL)
    /// What is at an address. It needs ``WebPage/network``, unless it is the address of a file.
    case url(URL)
  }

  /// What is shown.
  public var content: Content
  /// The size of the window.
  public var viewport: Viewport
  /// Whether the page is told that the person prefers dark or light.
  public var appearance: Appearance
  /// The time zone, by its name in the IANA database.
  public var timeZone: String
  /// The instant that every clock of the page always says; the clocks go if `nil`.
  ///
  /// These are `Date`, `Intl.DateTimeFormat` when it is given no date, `Temporal.Now`, `document.lastModified`,
  /// `File.lastModified` of a file that a script makes, `performance.timeOrigin` and `performance.timing`, in windows, frames
  /// and dedicated workers. `performance.now()`, timers and frames of animation go on, and so does the time in shared and in
  /// service workers.
  public var now: Date?
  /// What a request of the page gets.
  public var network: Network
  /// Whether animations and transitions are shown as they are: otherwise finite ones are at their ends, and infinite
  /// ones as if they had not begun.
  ///
  /// That goes for frames and shadow trees too, closed ones included. The page is told that the person prefers reduced motion.
  /// A `<marquee>` shows its text at rest, a `<progress>` without a value an empty track, a `<video>` its first frame. Animated
  /// pictures and SVG's own animations (`<animate>`) stand at their beginnings in both cases, and what goes with scrolling is
  /// where the page is scrolled to.
  public var animates: Bool
  /// CSS selectors of elements that are painted over in one colour.
  ///
  /// Every element that fits is covered, in frames and shadow trees too, as far as it can be seen in its own document. It is the
  /// picture that is painted over, so no style of the page has a say in it.
  ///
  /// What cuts off a frame as a whole (a box around it with `overflow`, or the window of the frame that it is in) is not looked
  /// at: the cover of an element there reaches as far as if the frame were whole, and may lie on what is beside it. More is covered
  /// then than has to be, never less.
  public var masks: [String]
  /// What is in the picture.
  public var area: Area
  /// What has to be so before the page is captured, beside its load event.
  public var readiness: [Readiness]
  /// How long each step of a capture may take: opening a tab, loading the page, and having the snapshot of what is loaded.
  ///
  /// The start of the browser, and the wait for others to be done with their tabs, are not part of it.
  public var timeout: Duration

  /// The instant that pages see unless they are told another: 17 December 2018, 12:00 UTC, a Monday.
  public static let usualNow = Date(timeIntervalSince1970: 1_545_048_000)

  /// Creates a page.
  ///
  /// - Parameters:
  ///   - content: What is shown.
  ///   - viewport: The size of the window.
  ///   - appearance: Whether the page is told that the person prefers dark or light.
  ///   - timeZone: The time zone, by its name in the IANA database.
  ///   - now: The instant that the page's clocks always say; they go if `nil`.
  ///   - network: What a request of the page gets.
  ///   - animates: Whether animations are shown as they are.
  ///   - masks: CSS selectors of elements that are covered. One that fits nothing covers nothing.
  ///   - area: What is in the picture.
  ///   - readiness: What has to be so before the page is captured, beside its load event.
  ///   - timeout: How long each step of a capture may take.
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
  /// - Parameters:
  ///   - html: The document.
  ///   - baseURL: What links are relative to, and whose origin the page has; it is not asked for anything itself.
  ///   - viewport: The size of the window.
  ///   - network: What a request of the page gets.
  public init(html: String, baseURL: URL? = nil, viewport: Viewport = Viewport(), network: Network = .off) {
    self.init(.html(html, baseURL: baseURL), viewport: viewport, network: network)
  }

  /// Creates a page from a file of this machine.
  ///
  /// - Parameters:
  ///   - file: The file. It may show the files of its own folder and below.
  ///   - viewport: The size of the window.
  ///   - network: What a request of the page gets, for what is not a file.
  public init(file: URL, viewport: Viewport = Viewport(), network: Network = .off) {
    self.init(.file(file), viewport: viewport, network: network)
  }

  /// Creates a page from an address.
  ///
  /// - Parameters:
  ///   - url: The address.
  ///   - viewport: The size of the window.
  ///   - network: What a request of the page gets, the first one included.
  public init(url: URL, viewport: Viewport = Viewport(), network: Network = .on) {
    self.init(.url(url), viewport: viewport, network: network)
  }
}
