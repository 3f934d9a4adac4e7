internal import Foundation
internal import ImageSnapshotting
internal import SnapshotStore

/// One HTML page with all pending snapshots, without any other file.
struct HTMLReport {
  typealias Entry = (snapshot: PendingSnapshot, difference: Result<Difference, SnapshotError>)

  struct Actions {
    let accept: String
    let rename: String
    let reject: String
  }

  let entries: [Entry]
  var renames: [String: String] = [:]
  var unreadable: [SnapshotError] = []
  var problem: String?
  /// `nil` for a page without a server.
  var actions: Actions?

  var page: String {
    let suites = Set(entries.map { $0.snapshot.suites.joined(separator: ".") }).filter { !$0.isEmpty }.sorted()
    let options = suites.map { "<option>\(MarkupText.escaped($0))</option>" }.joined()
    let count =
      (entries.count == 1 ? "1 pending snapshot" : "\(entries.count) pending snapshots")
      + (unreadable.isEmpty ? "" : "; some cannot be read")
    let problems = [problem].compactMap(\.self) + unreadable.map(\.description)
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'; \
      script-src 'unsafe-inline'; base-uri 'none'; form-action \(actions == nil ? "'none'" : "'self'")">
      <title>\(count)</title>
      <style>
      \(ReportStyle.text)
      </style>
      </head>
      <body>
      <header>
      <h1>\(count)</h1>
      <label>State <select id="state"><option value="">all</option><option>changed</option><option>new</option></select></label>
      <label>Suite <select id="suite"><option value="">all</option>\(options)</select></label>
      <label>Name <input id="name" type="search"></label>
      <p id="shown" role="status"></p>
      </header>
      <main>
      \(problems.map { "<p class=\"error\" role=\"alert\">\(MarkupText.escaped($0))</p>" }.joined(separator: "\n"))
      \(entries.map(section).joined())
      </main>
      <script>
      \(ReportScript.text)
      </script>
      </body>
      </html>

      """
  }

  private func section(_ entry: Entry) -> String {
    let snapshot = entry.snapshot
    let state = snapshot.isNew ? "new" : "changed"
    let body =
      switch entry.difference {
      case .success(let difference): Self.content(difference)
      case .failure(let error): "<p class=\"error\">\(MarkupText.escaped(error.description))</p>"
      }
    return """
      <section data-state="\(state)" data-suite="\(MarkupText.escaped(snapshot.suites.joined(separator: ".")))">
      <h2><span class="\(state)">\(state)</span> \(MarkupText.escaped(snapshot.name))</h2>
      <p>\(MarkupText.escaped(snapshot.testName)), \(MarkupText.escaped(StatusReport.details(snapshot)))</p>
      \(renames[snapshot.name].map { "<p>\(MarkupText.escaped(StatusReport.rename(from: $0)))</p>" } ?? "")
      \(body)
      \(actions.map { buttons(snapshot, $0) } ?? "")
      </section>

      """
  }

  private func buttons(_ snapshot: PendingSnapshot, _ actions: Actions) -> String {
    let buttons =
      [("Accept", actions.accept)]
      + (renames[snapshot.name] == nil ? [] : [("Accept and delete the old reference", actions.rename)])
      + [("Reject", actions.reject)]
    let elements = buttons.map { "<button formaction=\"\(MarkupText.escaped($1))\">\($0)</button>" }
    return """
      <form method="post">
      <input type="hidden" name="id" value="\(MarkupText.escaped(snapshot.id))">
      <input type="hidden" name="fingerprint" value="\(MarkupText.escaped(snapshot.fingerprint))">
      <input type="hidden" name="old" value="\(MarkupText.escaped(renames[snapshot.name] ?? ""))">
      \(elements.joined(separator: "\n"))
      </form>
      """
  }

  private static func content(_ difference: Difference) -> String {
    switch difference {
    case .text(let diff): table(DiffLine.lines(of: diff))
    case .newText(let text): table(DiffLine.lines(ofNew: text))
    case .bytes(let summary): "<p>\(MarkupText.escaped(summary))</p>"
    case .picture(let old, let new, let difference, let summary):
      "<p>\(MarkupText.escaped(summary))</p>\n" + pictures(old, new, difference)
    }
  }

  private static func table(_ lines: [DiffLine]) -> String {
    let rows = DiffLine.pairs(of: lines).map { old, new in
      if let old, old.kind == .header { return "<tr class=\"header\"><td colspan=\"2\">\(html(old))</td></tr>" }
      return "<tr>\(cell(old))\(cell(new))</tr>"
    }
    return "<table><thead><tr><th scope=\"col\">Reference</th><th scope=\"col\">New</th></tr></thead><tbody>\n"
      + rows.joined(separator: "\n") + "\n</tbody></table>"
  }

  private static func cell(_ line: DiffLine?) -> String {
    guard let line else { return "<td></td>" }
    let name = line.kind == .removed ? "removed" : line.kind == .added ? "added" : "common"
    return "<td class=\"\(name)\">\(html(line))</td>"
  }

  private static func html(_ line: DiffLine) -> String {
    line.parts.map { $0.isChanged ? "<mark>\(MarkupText.escaped($0.text))</mark>" : MarkupText.escaped($0.text) }
      .joined()
  }

  private static func pictures(_ old: Image?, _ new: Image, _ difference: Image?) -> String {
    let shown = [("Reference", old), ("New", new), ("Difference", difference)].compactMap { name, image in
      image.flatMap(dataURL).map { (name, $0) }
    }
    let figures = shown.map { name, url in
      "<figure><img src=\"\(url)\" alt=\"\(name)\"><figcaption>\(name)</figcaption></figure>"
    }
    var text = "<div class=\"pictures\">\(figures.joined())</div>"
    if let old = old.flatMap(dataURL), let new = dataURL(new) {
      text += """

        <div class="overlay"><img src="\(old)" alt="Reference"><img class="top" src="\(new)" alt="New over the reference"></div>
        <label>Reference <input type="range" min="0" max="100" value="50"> New</label>
        """
    }
    return text
  }

  private static func dataURL(_ image: Image) -> String? {
    (try? image.pngData()).map { "data:image/png;base64,\($0.base64EncodedString())" }
  }
}

extension HTMLReport {
  init(_ store: PendingStore, problem: String? = nil, actions: Actions? = nil) {
    let (snapshots, unreadable) = store.contents()
    let entries: [Entry] = snapshots.map { snapshot in
      (snapshot, Result { () throws(SnapshotError) in try store.difference(of: snapshot) })
    }
    self.init(
      entries: entries, renames: store.renames(of: snapshots), unreadable: unreadable, problem: problem,
      actions: actions)
  }
}
