extension Page {
  /// A form: fields, and the action of a submission.
  ///
  /// ```swift
  /// Page.Form(id: "log-in", submit: "Log in", fields: [
  ///   PageField("name", "Name"), PageField("password", "Password", kind: .secret),
  /// ]) { .logIn(name: $0["name"], password: $0["password"]) } edited: { .typed(name: $0["name"]) }
  /// ```
  ///
  /// Without `edited`, the shell keeps the input until the form is submitted. The input is lost when the screen is removed.
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
      var known: [String: String] = [:]
      for field in fields { known[field.name] = values[field.name] ?? field.value }
      return FormValues(known)
    }
  }
}

/// A field for one line of text.
///
/// The terminal shell limits typed and pasted text to 1,000 characters. A longer `value` is kept.
public struct PageField: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    case text
    /// A secret: a shell hides it and never stores it.
    case secret
    case search
  }

  /// The data that the user's device may fill in.
  public enum Autofill: Hashable, Sendable, CaseIterable {
    case username
    case password
    case newPassword
  }

  public var name: String
  public var label: String
  public var kind: Kind
  public var value: String
  public var autofill: Autofill?
  /// Whether its value was refused; a shell marks the field.
  ///
  /// Add an alert with the reason to the page.
  public var isInvalid: Bool

  public init(
    _ name: String, _ label: String, kind: Kind = .text, value: String = "", autofill: Autofill? = nil,
    isInvalid: Bool = false
  ) {
    self.name = name
    self.label = label
    self.kind = kind
    self.value = value
    self.autofill = autofill
    self.isInvalid = isInvalid
  }
}

/// The input of a form, by the names of the fields.
public struct FormValues: Hashable, Sendable {
  private let values: [String: String]

  init(_ values: [String: String]) { self.values = values }

  /// The value of a field; empty for an unknown field.
  public subscript(name: String) -> String { values[name] ?? "" }
}
