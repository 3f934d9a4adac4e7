extension Page {
  /// Fields to fill in, and what is sent of them.
  ///
  /// ```swift
  /// Page.Form(id: "log-in", submit: "Log in", fields: [
  ///   PageField("name", "Name"), PageField("password", "Password", kind: .secret),
  /// ]) { .logIn(name: $0["name"], password: $0["password"]) } edited: { .typed(name: $0["name"]) }
  /// ```
  ///
  /// Without `edited`, the app receives the input when the form is submitted. Until then the shell keeps it.
  public struct Form: Sendable {
    /// The identity among the forms of the page; of two of one identity, the first counts.
    public var id: String
    /// What the button says that sends it.
    public var submit: String
    /// What there is to fill in; no two of one name.
    public var fields: [PageField]
    /// What the app hears of the values.
    public var action: @Sendable (FormValues) -> Action
    /// The action for the input so far, sent after each edit of a field.
    ///
    /// Store the values in the screen, and show them as the values of the fields. The input then survives links, tabs and
    /// restoration. The values of secret fields are masked: a `•` for each character.
    public var edited: (@Sendable (FormValues) -> Action)?

    /// Creates a form.
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

    /// What the app hears of some values; those of no field are left out, and a field without a value has its own.
    public func action(for values: [String: String]) -> Action { action(known(values)) }

    /// The action for input that is not submitted yet, with the values of secret fields masked; `nil` without ``edited``.
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

/// One line of text to fill in.
public struct PageField: Hashable, Sendable {
  /// What a field is for.
  public enum Kind: Hashable, Sendable {
    /// Any text.
    case text
    /// What nobody looking on should read; a shell hides it and never keeps it.
    case secret
    /// What to look for.
    case search
  }

  /// What a person's device may have kept for a field.
  public enum Autofill: Hashable, Sendable, CaseIterable {
    /// The name of an account.
    case username
    /// The password of an account that is there.
    case password
    /// The password of an account to be made.
    case newPassword
  }

  /// The name under which the form has its value.
  public var name: String
  /// What it says beside it.
  public var label: String
  /// What it is for.
  public var kind: Kind
  /// What it has before a person fills it in.
  public var value: String
  /// What a person's device may fill in; `nil` when it is nothing that it would keep.
  public var autofill: Autofill?
  /// Whether its value was refused; a shell marks the field, and an alert on the page says why.
  public var isInvalid: Bool

  /// Creates a field.
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

/// What a person has filled in, by the names of the fields.
public struct FormValues: Hashable, Sendable {
  private let values: [String: String]

  init(_ values: [String: String]) { self.values = values }

  /// The value of a field; empty when the form has no such field.
  public subscript(name: String) -> String { values[name] ?? "" }
}
