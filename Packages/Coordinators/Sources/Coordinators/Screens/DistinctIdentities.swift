extension Page {
  /// Gives each row, form and button its own identity.
  ///
  /// A duplicate gets its number, as in `fiets`, `fiets 2`.
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

private struct Occurrences {
  private var counts: [String: Int] = [:]

  mutating func distinct(_ id: String) -> String {
    let count = (counts[id] ?? 0) + 1
    counts[id] = count
    return count == 1 ? id : distinct("\(id) \(count)")
  }
}
