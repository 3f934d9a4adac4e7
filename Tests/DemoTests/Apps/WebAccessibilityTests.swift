import Foundation
import Testing

@testable import WebSnapshotting

/// Checks the pages of the web shell against rules of WCAG 2.2 AA, in a real browser.
///
/// With the path of `axe.min.js` in the environment variable `AXE_CORE`, its rules are checked, too; see `Scripts/check axe`.
@Suite("Accessibility of the web shell")
struct WebAccessibilityTests {
  @Test("every page meets the contrast, target size and structure rules", arguments: [WebPage.Appearance.light, .dark])
  func rules(appearance: WebPage.Appearance) async throws {
    try await WebShellProcess.use(["dictionary"]) { url in
      let browser = try await BrowserUserDriver(at: url, appearance: appearance)
      try await expectNoProblems(browser, "log-in")
      try await browser.fillIn([("Name", "ayaka"), ("Password", "x")], send: "Log in")
      try await expectNoProblems(browser, "refused log-in")
      try await browser.choose("Sign up")
      try await expectNoProblems(browser, "sign-up")
      try await browser.choose("Close")
      try await browser.fillIn([("Name", "ayaka"), ("Password", "tulp")], send: "Log in")
      try await browser.expectTitle("Words")
      try await expectNoProblems(browser, "words")
      try await browser.choose("de fiets")
      try await expectNoProblems(browser, "word")
      try await browser.goBack()
      try await browser.choose("Search")
      try await browser.fillIn([("Find", "xyz")], send: "Search")
      try await expectNoProblems(browser, "search")
      try await browser.select(tab: "Phrases")
      try await expectNoProblems(browser, "phrases")
      try await browser.open("/none")
      try await expectNoProblems(browser, "problem")
    }
  }

  @Test("a refused form focuses its invalid field, which has the reason as its description")
  func refusedForm() async throws {
    try await WebShellProcess.use(["stories"]) { url in
      let browser = try await BrowserUserDriver(at: url)
      try await browser.choose("Log in")
      try await browser.choose("Sign up")
      try await browser.fillIn([("Name", "ayaka"), ("Password", "x")], send: "Sign up")
      // A browser moves the focus with the first frame, which can come after the load event.
      let focused = """
        new Promise(done => {
          const check = () => {
            const element = document.activeElement
            if (element == document.body) return requestAnimationFrame(check)
            done(element.labels[0].textContent + ': '
              + document.getElementById(element.getAttribute('aria-describedby')).textContent)
          }
          check()
        })
        """
      #expect(
        try await browser.evaluate(focused)?.string == "Password: This name is already taken. Choose another name.")
    }
  }

  private func expectNoProblems(_ browser: BrowserUserDriver, _ page: String) async throws {
    let problems = try await browser.evaluate(Self.audit)?.array?.compactMap(\.string)
    #expect(problems == [], "\(page)")
    if let axe = Self.axe {
      try await browser.evaluate("\(axe); 0")
      let violations = try await browser.evaluate(Self.axeRun)?.array?.compactMap(\.string)
      #expect(violations == [], "\(page)")
    }
    // The focus is visible on everything that the Tab key reaches, which is everything that can be used.
    let count = try await browser.evaluate("focusable().length")?.number ?? 0
    var reached: Set<String> = []
    for _ in 0..<(Int(count) + 2) {
      try await browser.pressTab()
      let focus = try await browser.evaluate(Self.focus)?.array?.compactMap(\.string) ?? []
      if let element = focus.first { reached.insert(element) }
      #expect(focus.dropFirst().isEmpty, "\(page): \(focus)")
    }
    #expect(reached.subtracting(["-1"]).count == Int(count), "\(page): \(reached)")
  }

  private static let axe = ProcessInfo.processInfo.environment["AXE_CORE"].map { path in
    (try? String(contentsOfFile: path, encoding: .utf8)) ?? "throw 'Cannot read \(path). Set AXE_CORE to axe.min.js.'"
  }

  private static let axeRun = """
    axe.run().then(result => result.violations.flatMap(v => v.nodes.map(n => `${v.id}: ${n.html} ${n.failureSummary}`)))
    """

  /// Defines the helper functions, and returns the problems of the page.
  private static let audit = """
    var color = text => { const [r, g, b, a = 1] = text.match(/[\\d.]+/g).map(Number); return [r, g, b, a] }
    var over = (top, bottom) => [0, 1, 2].map(i => top[i] * top[3] + bottom[i] * (1 - top[3])).concat(1)
    var background = element => {
      const layers = []
      for (let e = element; e; e = e.parentElement) layers.unshift(color(getComputedStyle(e).backgroundColor))
      return layers.reduce((below, layer) => over(layer, below), [255, 255, 255, 1])
    }
    var luminance = c => {
      const [r, g, b] = c.map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
      return 0.2126 * r + 0.7152 * g + 0.0722 * b
    }
    var contrast = (a, b) => {
      const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x)
      return (light + 0.05) / (dark + 0.05)
    }
    var focusable = () => [...document.querySelectorAll('a[href], button, input:not([type=hidden])')].filter(
      element => !element.closest('[inert]'))
    ;(() => {
      const problems = []
      const report = (element, text) => problems.push(`${element.outerHTML.slice(0, 100)}: ${text}`)
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      for (let node; node = walker.nextNode();) {
        const element = node.parentElement
        if (!node.textContent.trim() || element.tagName == 'SCRIPT') continue
        const style = getComputedStyle(element)
        const size = parseFloat(style.fontSize)
        const isLarge = size >= 24 || size >= 18.66 && style.fontWeight >= 700
        const ratio = contrast(color(style.color), background(element))
        if (ratio < (isLarge ? 3 : 4.5)) report(element, `contrast ${ratio}`)
        if (!element.closest('header, nav, main, footer')) report(element, 'outside of all landmarks')
      }
      for (const element of focusable()) {
        const box = element.getBoundingClientRect()
        if (box.height < 44 || box.width < 44) report(element, `${box.width} by ${box.height} pixels`)
        const name = element.labels?.[0]?.textContent ?? element.textContent
        if (!name.trim()) report(element, 'no name')
        if (element.tagName != 'INPUT') continue
        const style = getComputedStyle(element)
        if (contrast(color(style.color), background(element)) < 4.5) report(element, 'contrast of the input')
        if (contrast(color(style.borderTopColor), background(element.parentElement)) < 3) report(element, 'border')
      }
      const root = document.documentElement
      const ids = [...document.querySelectorAll('[id]')].map(e => e.id)
      if (new Set(ids).size != ids.length) report(root, 'duplicate identifiers')
      if (document.querySelectorAll('main').length != 1) report(root, 'not one main')
      if (document.querySelectorAll('h1').length != 1) report(root, 'not one h1')
      if (!root.lang) report(root, 'no language')
      if (!document.title.trim()) report(root, 'no title')
      if (root.scrollWidth > innerWidth) report(root, 'scrolls sideways')
      const isDark = matchMedia('(prefers-color-scheme: dark)').matches
      if (isDark != luminance(background(document.body)) < 0.2) report(root, 'wrong color scheme')
      return problems
    })()
    """

  /// The index of the focused element, and the problems of its outline.
  private static let focus = """
    (() => {
      const element = document.activeElement
      const index = focusable().indexOf(element)
      if (index < 0) return ['-1']
      // The outline of a row surrounds the row.
      const style = getComputedStyle(element, element.matches('.rows a') ? '::after' : null)
      const result = [String(index)]
      if (style.outlineStyle == 'none' || parseFloat(style.outlineWidth) < 2) result.push('no outline')
      if (contrast(color(style.outlineColor), background(element.parentElement)) < 3) result.push('contrast')
      return result
    })()
    """
}
