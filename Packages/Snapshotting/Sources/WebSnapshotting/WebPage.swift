public import Foundation

/// A web page, and the conditions under which it is captured.
///
/// ```swift
/// let page = WebPage(html: "<h1>Welcome to Point-Free!</h1>", viewport: WebPage.Viewport(width: 640, height: 480))
/// await expectSnapshot(of: page, as: .image)
/// ```
///
/// A page is a value: it is loaded when it is captured. A page that can run a script has a new browser context, without cookies, cache and
/// storage of another one.
///
/// **Navigation.** A page that reloads itself or navigates is captured where it comes to rest. The capture fails if there is no
/// response, or if ``network`` refuses it.
///
/// Source: the web view of *Async Functional Refactoring*.
public struct WebPage: Sendable, Hashable {
  public enum Content: Sendable, Hashable {
    /// A document as text.
    ///
    /// Links are relative to the base URL, which is not requested. It has the scheme `http`, `https` or `file`.
    case html(String, baseURL: URL?)
    /// The document at an address. It needs ``WebPage/network``, unless it is the address of a file.
    case url(URL)
  }

  public var content: Content
  public var viewport: Viewport
  public var appearance = Appearance.light
  /// The time zone, by its name in the IANA database.
  public var timeZone = "UTC"
  /// The language of the page and of its requests: `page.locale = "nl-NL"`.
  public var locale = "en-US"
  /// The instant that all clocks of the page show; `nil` for running clocks.
  ///
  /// The clocks are `Date`, `Intl.DateTimeFormat` without a date and `performance.timeOrigin`, in windows and frames, not in workers.
  /// Timers, animation frames and `performance.now()` run.
  public var now: Date? = WebPage.usualNow
  /// The start of the page's random numbers, such as `Math.random()` and `crypto.getRandomValues`; `nil` for real ones.
  ///
  /// With a seed, `performance.now()` and animation frames also count from zero: `page.seed = nil` switches both off. Workers have
  /// real random numbers.
  public var seed: UInt32? = 1
  public var network: Network
  /// Whether animations and transitions run.
  ///
  /// Otherwise finite animations are at their end, and infinite animations are cancelled, also in frames and shadow trees. View
  /// transitions are skipped. Videos are paused at their beginning, or show their posters. Animated images and SVG animations
  /// (`<animate>`) are at their beginning in any case.
  public var animates = false
  /// Whether `prefers-reduced-motion` is `reduce`; `nil` for yes unless ``animates`` is true.
  public var reducesMotion: Bool?
  /// Whether the page is a mobile one, with touch events and a viewport `<meta>`: `page.isMobile = true`.
  public var isMobile = false
  /// Whether the style sheets for printing apply: `page.isPrinted = true`.
  public var isPrinted = false
  /// Style sheets for the time of the capture, as CSS: `page.styles = ".advert { display: none }"`.
  ///
  /// They apply to all frames and shadow trees, after the page is ready, for images, texts and accessibility trees. Use `!important`
  /// over the page's own rules.
  public var styles = ""
  /// CSS selectors of elements that are covered with one colour, in images.
  ///
  /// Texts and accessibility trees contain these elements: hide them there with ``styles``.
  ///
  /// All matching elements are covered where they are visible, also in frames and shadow trees. An element in front of them stays
  /// visible, and can have a mask too. A selector without an element is an error.
  public var masks: [String] = []
  /// The part of the page that an image shows; texts contain the whole page.
  public var area = Area.viewport
  /// The conditions that must hold before the page is captured, in addition to its load event.
  ///
  /// They are waited for in order. An earlier condition may have stopped holding at the end. The capture then waits for fonts and images.
  public var readiness: [Readiness] = []
  /// How long a snapshot that does not match its reference is repeated, without loading the page again; `nil` for not at all.
  ///
  /// Only in an assertion with a reference: `page.retryLimit = .seconds(5)`. After it, and after half of the
  /// time limit, the last snapshot is compared.
  public var retryLimit: Duration?
  /// The time limit of a capture, without the start of the browser and the wait for a free tab; more than zero.
  ///
  /// Opening a new tab has the same limit of its own. An assertion with a shorter `timeout` limits both. After the limit, the error
  /// collects an image and the console for at most one second.
  public var timeout = Duration.seconds(30)
  /// The headers of all requests of the page: `page.headers = ["Authorization": "Bearer 17"]`.
  ///
  /// For HTTP authentication, put the name and the password into the address: `http://ayaka:tulp@localhost/`.
  public var headers: [String: String] = [:]
  /// Cookies for the address of the page: `page.cookies = ["session": "17"]`.
  public var cookies: [String: String] = [:]
  /// The local storage of the page's origin at the start: `page.localStorage = ["theme": "dark"]`.
  public var localStorage: [String: String] = [:]
  /// Whether the page sees that it is off-line (`navigator.onLine`), and requests fail, except for given responses.
  public var isOffline = false

  /// The default instant of pages: 17 December 2018, 12:00 UTC, a Monday.
  public static let usualNow = Date(timeIntervalSince1970: 1_545_048_000)

  public init(_ content: Content, viewport: Viewport = Viewport(), network: Network = .off) {
    (self.content, self.viewport, self.network) = (content, viewport, network)
  }

  /// Creates a page from HTML text.
  ///
  /// `baseURL` is the base of links and the origin of the page, and is not requested.
  public init(html: String, baseURL: URL? = nil, viewport: Viewport = Viewport(), network: Network = .off) {
    self.init(.html(html, baseURL: baseURL), viewport: viewport, network: network)
  }

  /// Creates a page from a file of this machine, which can show other files and not read them.
  public init(file: URL, viewport: Viewport = Viewport(), network: Network = .off) {
    self.init(.url(file), viewport: viewport, network: network)
  }

  /// Creates a page from an address.
  public init(url: URL, viewport: Viewport = Viewport(), network: Network = .on) {
    self.init(.url(url), viewport: viewport, network: network)
  }
}

extension WebPage {
  /// The size of a page's window.
  public struct Viewport: Sendable, Hashable {
    /// The width in CSS pixels.
    public var width: Int
    /// The height in CSS pixels.
    public var height: Int
    /// The number of pixels in a CSS pixel in each direction.
    public var scale: Double

    /// The maximum length of a side of an image in pixels.
    public static let longestSide = 16_384

    /// A side of less than 1 pixel or more than ``longestSide`` is an error of the capture.
    public init(width: Int = 640, height: Int = 480, scale: Double = 1) {
      self.width = width
      self.height = height
      self.scale = scale
    }
  }

  public enum Appearance: Sendable, Hashable {
    case light
    case dark
  }

  public enum Area: Sendable, Hashable {
    case viewport
    /// The whole page. Lazy images and frames are loaded, and everything is scrolled into the window once.
    ///
    /// If the page itself does not scroll, the window grows to show the whole content of its scroll containers. It
    /// also grows for frames of other origins, because the browser draws them only in the window, unless an element's height depends on it.
    case fullPage
    /// The first of all elements that match a CSS selector, also outside of the window.
    ///
    /// Shadow trees are searched if the document has no such element; frames are not. Scroll containers are scrolled to show the
    /// element. The image has the element's box. An element without a box is an error.
    case element(String)
  }

  /// A condition that must hold before a page is captured.
  public enum Readiness: Sendable, Hashable {
    /// An element of the document, or of a shadow tree in it, matches a CSS selector.
    case selector(String)
    /// A JavaScript expression is true, or a promise of true. It is evaluated before each frame. An exception ends the capture.
    case predicate(String)
  }
}

extension WebPage {
  public enum Network: Sendable, Hashable {
    /// All requests fail, including WebSockets.
    case off
    case on
    /// The given response for each URL; requests for other URLs fail.
    ///
    /// URLs are compared without fragments and percent encoding. The browser refuses a status without a standard reason phrase, and an
    /// invalid header field: the request fails then.
    case responses([URL: Response])
  }

  /// A response that replaces a response of the network.
  public struct Response: Sendable, Hashable {
    public var status: Int
    public var headers: [String: String]
    public var body: Data

    public init(status: Int = 200, headers: [String: String] = [:], body: Data) {
      self.status = status
      self.headers = headers
      self.body = body
    }

    /// Creates a response of a media type, such as `text/css` or `font/ttf`, which pages of any origin may read.
    public init(_ body: Data, type: String) {
      self.init(headers: ["Content-Type": type, "Access-Control-Allow-Origin": "*"], body: body)
    }
  }
}

extension WebPage {
  /// The page's address; `nil` for text without a base URL.
  var address: URL? {
    switch content {
    case .html(_, let url): url
    case .url(let url): url
    }
  }

  /// The given responses, with the page itself if it is text with a base URL.
  ///
  /// `nil` if the browser decides about all requests. Without a network, a proxy that does not exist refuses them.
  var responses: [URL: Response]? {
    let given: [URL: Response]? = if case .responses(let responses) = network { responses } else { nil }
    guard case .html(let text, let url?) = content else { return given }
    return (given ?? [:]).merging([url: Response(Data(text.utf8), type: "text/html; charset=utf-8")]) { $1 }
  }

  /// Whether the page is text without a script, a frame, a video or an address, so that its tab can be used again.
  var isInert: Bool {
    guard case .html(let text, baseURL: nil) = content, network == .off, localStorage.isEmpty, !isMobile,
      !readiness.contains(where: { if case .predicate = $0 { true } else { false } })
    else { return false }
    return !text.contains(/(?i)<script|<video|javascript:|<i?frame|<object|<embed|<portal|http-equiv|\bon[a-z]+\s*=/)
  }

  func check() throws(WebError) {
    let sides = 1...Viewport.longestSide
    guard sides.contains(viewport.width), sides.contains(viewport.height), (0.1...10).contains(viewport.scale),
      Double(max(viewport.width, viewport.height)) * viewport.scale <= Double(Viewport.longestSide)
    else {
      throw .notFound(
        "Cannot use a viewport of \(viewport.width)×\(viewport.height) CSS pixels at scale \(viewport.scale). "
          + "A side must be 1 to \(Viewport.longestSide) pixels, also after scaling, and the scale 0.1 to 10.")
    }
    if let address, address.scheme == nil {
      throw .cannotLoad(
        "Cannot load \(address.absoluteString): the address has no scheme. Use a whole address, such as http://127.0.0.1:8080/birds."
      )
    }
    if !cookies.isEmpty, !["http", "https"].contains(address?.scheme?.lowercased()) {
      throw .cannotLoad("Cannot set cookies: the page has no address on the web. Give it a base URL.")
    }
  }
}

extension String {
  /// The address without a user name and a password, for messages.
  var withoutPassword: String { replacing(/^([^:]+:\/\/)[^\/?#]*@/) { String($0.1) } }

  var withoutFragment: String { String(prefix { $0 != "#" }) }

  /// The address without percent encoding: a `URL` escapes characters that a browser does not.
  var decoded: String { removingPercentEncoding ?? self }
}
