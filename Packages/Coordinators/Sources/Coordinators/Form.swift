extension Page {
  /// A form: fields, and the action of a submission.
  ///
  /// ```swift
  /// Page.Form(id: "recipe", submit: "Save", fields: [
  ///   PageField("name", "Name", isRequired: true),
  ///   PageField("servings", "Servings", kind: .number(in: 1...20), value: "4"),
  ///   PageField("course", "Course", kind: .choice([.init("main", "Main course"), .init("dessert", "Dessert")])),
  ///   PageField("public", "Everybody may see it", kind: .checkbox),
  /// ]) { .save(name: $0["name"], servings: $0.number("servings") ?? 1, isPublic: $0.isOn("public")) }
  /// ```
  ///
  /// A shell sends a form only when ``problems(in:)`` is empty, and otherwise shows each problem at its field. A problem that
  /// only the app can find is the ``PageField/error`` of a field on the next page.
  ///
  /// Without `edited`, the shell keeps the input until the app accepts it, or the screen is removed.
  public struct Form: Sendable {
    public var id: String
    public var submit: String
    /// The fields, with unique names.
    public var fields: [PageField]
    public var action: @Sendable (FormValues) -> Action
    /// The action for the input so far, sent after each edit of a field.
    ///
    /// Store the values in the screen, and show them as the values of the fields. The input then survives links, tabs and
    /// restoration. The values of secret fields are masked: a `•` for each character.
    public var edited: (@Sendable (FormValues) -> Action)?

    public init(
      id: String, submit: String, fields: [PageField], action: @escaping @Sendable (FormValues) -> Action,
      edited: (@Sendable (FormValues) -> Action)? = nil
    ) {
      self.id = id
      self.submit = submit
      self.fields = fields
      self.action = action
      self.edited = edited
    }

    public func field(_ name: String) -> PageField? { fields.first { $0.name == name } }

    /// Returns the problems of some values, by the names of the fields.
    ///
    /// Shells on a server call it too, because a client can send any value.
    public func problems(in values: [String: String]) -> [String: FieldProblem] {
      var problems: [String: FieldProblem] = [:]
      for field in fields { problems[field.name] = field.problem(of: field.normalized(values[field.name])) }
      return problems
    }

    /// Returns the action for some values.
    ///
    /// Ignores unknown names. A field without an entry in `values` uses its initial value.
    public func action(for values: [String: String]) -> Action { action(known(values)) }

    public func editAction(for values: [String: String]) -> Action? {
      var masked = values
      for field in fields where field.kind == .secret {
        masked[field.name] = String(repeating: "•", count: (values[field.name] ?? field.value).count)
      }
      return edited?(known(masked))
    }

    private func known(_ values: [String: String]) -> FormValues {
      FormValues(Dictionary(fields.map { ($0.name, $0.normalized(values[$0.name])) }) { first, _ in first })
    }
  }
}

/// A field of a form.
///
/// Its value is a text for every kind: the name of a choice, a number such as `2.5`, and `on` or an empty text for a checkbox.
public struct PageField: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// One line of text.
    case text
    /// A secret: a shell hides it and never stores it.
    case secret
    case search
    /// Several lines of text, separated by `\n`.
    case multiline
    /// A number, with a point before its decimals.
    case number(in: ClosedRange<Double>? = nil)
    /// One of some options; without a value, none is selected.
    case choice([Choice])
    /// `on` or empty; when required, only `on` is valid.
    case checkbox
  }

  public struct Choice: Hashable, Sendable {
    public var value: String
    public var title: String

    public init(_ value: String, _ title: String) {
      self.value = value
      self.title = title
    }
  }

  /// The data that the user's device may fill in.
  ///
  /// The raw value is the HTML token.
  public enum Autofill: String, Hashable, Sendable, CaseIterable {
    case username
    case password = "current-password"
    case newPassword = "new-password"
  }

  public var name: String
  public var label: String
  public var kind: Kind
  public var value: String
  public var isRequired: Bool
  /// A short explanation below the field.
  public var hint: String?
  /// The reason why the value was refused; a shell marks the field and shows the reason at it.
  public var error: String?
  public var autofill: Autofill?

  public init(
    _ name: String, _ label: String, kind: Kind = .text, value: String = "", isRequired: Bool = false,
    hint: String? = nil, error: String? = nil, autofill: Autofill? = nil
  ) {
    self.name = name
    self.label = label
    self.kind = kind
    self.value = value
    self.isRequired = isRequired
    self.hint = hint
    self.error = error
    self.autofill = autofill
  }

  /// Returns the problem of a value; `nil` for a valid one.
  public func problem(of value: String) -> FieldProblem? {
    if value.isEmpty { return isRequired ? .missing : nil }
    switch kind {
    case .text, .secret, .search, .multiline, .checkbox: return nil
    case .number(let range):
      guard let number = Double(value), number.isFinite else { return .notANumber }
      return range.flatMap { $0.contains(number) ? nil : .outOfRange($0) }
    case .choice(let choices): return choices.contains { $0.value == value } ? nil : .unknownChoice
    }
  }

  /// Returns the value as the app receives it: without line breaks and tabs in one line, without `\r` in several lines.
  ///
  /// A `nil` becomes the initial value.
  func normalized(_ value: String?) -> String {
    guard let value else { return self.value }
    switch kind {
    case .multiline: return value.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    case .checkbox: return value.isEmpty ? "" : "on"
    case .number: return value.filter { !$0.isWhitespace }
    case .text, .search: return value.onOneLine
    case .secret, .choice: return value
    }
  }
}

/// The reason why a shell does not send a form; ``PageTexts/text(of:)`` has its text for the user.
public enum FieldProblem: Hashable, Sendable {
  case missing
  case notANumber
  case outOfRange(ClosedRange<Double>)
  case unknownChoice
}

/// The input of a form, by the names of the fields.
public struct FormValues: Hashable, Sendable {
  private let values: [String: String]

  init(_ values: [String: String]) { self.values = values }

  /// The value of a field; empty for an unknown field.
  public subscript(name: String) -> String { values[name] ?? "" }

  /// The number in a field; `nil` for an empty field.
  public func number(_ name: String) -> Double? { Double(self[name]) }

  /// Whether a checkbox is checked.
  public func isOn(_ name: String) -> Bool { !self[name].isEmpty }
}

extension String {
  /// This text with a space for each line break and tab.
  package var onOneLine: String {
    guard utf8.contains(where: { (0x09...0x0D).contains($0) || $0 >= 0x80 }) else { return self }
    return contains { $0.isNewline || $0 == "\t" } ? String(map { $0.isNewline || $0 == "\t" ? " " : $0 }) : self
  }
}

extension Double {
  /// The number without a point when it is whole.
  var shortText: String { self == rounded() && abs(self) < 1e15 ? "\(Int(self))" : "\(self)" }
}
