extension Page {
  /// The page as a shell shows it: each row, form and button has an identity of its own.
  ///
  /// The number of its occurrence is added to the identity of a later duplicate: `fiets`, `fiets 2`.
  package var distinct: Page {
    var page = self
    var (rows, forms, buttons) = (Occurrences(), Occurrences(), Occurrences())
    page.elements = elements.map { element in
      switch element {
      case .row(var row):
        row.id = rows.distinct(row.id)
        return .row(row)
      case .form(var form):
        form.id = forms.distinct(form.id)
        return .form(form)
      case .button(var button):
        button.id = buttons.distinct(button.id)
        return .button(button)
      case .text, .fact: return element
      }
    }
    return page
  }
}

/// Counts the elements with each identity.
private struct Occurrences {
  private var counts: [String: Int] = [:]

  /// Returns the identity, or another one for a duplicate.
  mutating func distinct(_ id: String) -> String {
    let count = (counts[id] ?? 0) + 1
    counts[id] = count
    return count == 1 ? id : distinct("\(id) \(count)")
  }
}
