// A client of `WebSnapshotting`: pages as values, constants with strategies, and a separate browser.

import Foundation
import ImageSnapshotting
import Snapshotting
import WebSnapshotting

struct Article {
  var html: String
}

let articles = Snapshotting<WebPage, Image>.image(precision: 0.999, perceptualPrecision: 0.98)
  .pullback { (article: Article) in WebPage(html: article.html, viewport: .init(width: 320, height: 200, scale: 2)) }

let texts: [Snapshotting<WebPage, String>] = [.dom, .text, .console]

func everything(at url: URL, style: Data) -> WebPage {
  var page = WebPage(
    .html("<p>", baseURL: url), appearance: .dark, timeZone: "Europe/Amsterdam", now: nil,
    network: .responses([url: WebPage.Response(style, type: "text/css")]), animates: true, masks: ["#advert"],
    area: .element("main"), readiness: [.selector("main"), .networkIdle(for: .seconds(1)), .stableImages(2)],
    timeout: .seconds(5))
  page.area = .fullPage
  return page
}

func capture(_ page: WebPage) async -> Data? {
  let browser = Browser(Browser.Configuration(executable: "chromium", sandbox: .on, fonts: .system, tabs: 2))
  defer { Task { await browser.close() } }
  do throws(WebError) {
    try await browser.start()
    return try await browser.png(of: page)
  } catch {
    print(error.kind == .noBrowser ? "Install a browser." : error.description)
    return error.attachments.first?.data
  }
}
