extension Page {
  /// The page as a shell shows it: each row, form and button has an identity of its own.
  ///
  /// The number of its occurrence is added to the identity of a later duplicate: `fiets`, `fiets 2`.
  package var distinct: Page {
    var page = self
    var (rows, forms, buttons) = (Occurrences(), Occurrences(), Occurrences())
    for (index, element) in elements.enumerated() {
      switch element {
      case .row(var row):
        guard let id = rows.newIdentity(for: row.id) else { continue }
        row.id = id
        page.elements[index] = .row(row)
      case .form(var form):
        guard let id = forms.newIdentity(for: form.id) else { continue }
        form.id = id
        page.elements[index] = .form(form)
      case .button(var button):
        guard let id = buttons.newIdentity(for: button.id) else { continue }
        button.id = id
        page.elements[index] = .button(button)
      case .text, .fact: break
      }
    }
    return page
  }
}

/// Counts the elements with each identity.
private struct Occurrences {
  private var counts: [String: Int] = [:]

  /// Returns another identity for a duplicate; `nil` for the first element with this identity.
  mutating func newIdentity(for id: String) -> String? {
    let count = (counts[id] ?? 0) + 1
    counts[id] = count
    guard count > 1 else { return nil }
    let numbered = "\(id) \(count)"
    return newIdentity(for: numbered) ?? numbered
  }
}
