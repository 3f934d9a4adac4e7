#if canImport(UIKit)
  public import Coordinators
  public import UIKit

  /// A table with the elements of a ``Page``.
  ///
  /// ```swift
  /// PageViewController(page(of: screen)) { [weak navigator] action in navigator?.send(action, from: node.id) }
  /// ```
  ///
  /// It pushes nothing itself; it sends the actions of rows, buttons and forms. A form with problems is not sent: the first
  /// problem is shown as the prompt of the title.
  public final class PageViewController<Action: Sendable>: UITableViewController {
    private struct Item {
      var text: String
      var detail: String?
      var isRow = false
      var control: UIView?
      var tap: () -> Void = {}
    }

    /// The page; a new page is shown at once, with the input of fields that still exist.
    public var page: Page<Action> {
      didSet { show() }
    }
    private let send: (Action) -> Void
    private let refresh: () -> Void
    private let texts: PageTexts
    private var items: [Item] = []
    private var input: [String: [String: String]] = [:]

    /// Creates a table; `refresh` fetches the content of a remote page again.
    public init(
      _ page: Page<Action>, texts: PageTexts = PageTexts(), refresh: @escaping () -> Void = {},
      send: @escaping (Action) -> Void
    ) {
      self.page = page
      self.texts = texts
      self.refresh = refresh
      self.send = send
      super.init(style: .insetGrouped)
      show()
    }

    @available(*, unavailable)
    public required init?(coder: NSCoder) { nil }

    public override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { items.count }

    public override func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
      let cell = UITableViewCell(style: .default, reuseIdentifier: nil)
      var content = cell.defaultContentConfiguration()
      let item = items[indexPath.row]
      (content.text, content.secondaryText) = (item.text, item.detail)
      cell.accessoryType = item.isRow ? .disclosureIndicator : .none
      cell.accessoryView = item.control
      cell.contentConfiguration = content
      return cell
    }

    public override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
      items[indexPath.row].tap()
    }

    private func show() {
      title = page.title
      navigationItem.prompt = nil
      items = page.elements.flatMap { [send, refresh] element -> [Item] in
        switch element {
        case .text(let text, _, _): [Item(text: text)]
        case .fact(let label, let value, _): [Item(text: label, detail: value)]
        case .row(let row): [Item(text: row.title, detail: row.detail, isRow: true) { send(row.action) }]
        case .image(let image): image.description.isEmpty ? [] : [Item(text: image.description)]
        case .table(let table):
          [Item(text: table.caption)]
            + table.rows.map { row in
              let cells = zip(table.columns, row).map { $0.title.isEmpty ? $1 : "\($0.title): \($1)" }
              return Item(text: cells.joined(separator: "\n"))
            }
        case .form(let form):
          form.fields.map { field in
            Item(
              text: field.isRequired ? "\(field.label) *" : field.label, detail: field.error ?? field.hint,
              control: control(for: field, of: form))
          } + [Item(text: form.submit) { [weak self] in self?.submit(form) }]
        case .button(let button):
          [Item(text: button.title) { if case .send(let action) = button.trigger { send(action) } else { refresh() } }]
        }
      }
      if isViewLoaded { tableView.reloadData() }
    }

    private func submit(_ form: Page<Action>.Form) {
      let values = input[form.id] ?? [:]
      let problems = form.problems(in: values)
      if let field = form.fields.first(where: { problems[$0.name] != nil }), let problem = problems[field.name] {
        navigationItem.prompt = "\(field.label): \(texts.text(of: problem))"
        return
      }
      for field in form.fields where field.kind == .secret { input[form.id]?[field.name] = nil }
      send(form.action(for: values))
    }

    private func control(for field: PageField, of form: Page<Action>.Form) -> UIView {
      let value = input[form.id]?[field.name] ?? field.value
      switch field.kind {
      case .checkbox:
        let control = UISwitch(frame: .zero)
        control.isOn = !value.isEmpty
        return reporting(control, .valueChanged, field, form) { $0.isOn ? "on" : "" }
      case .choice(let choices):
        let control = UISegmentedControl(items: choices.map(\.title))
        control.selectedSegmentIndex = choices.firstIndex { $0.value == value } ?? -1
        return reporting(control, .valueChanged, field, form) {
          choices.indices.contains($0.selectedSegmentIndex) ? choices[$0.selectedSegmentIndex].value : ""
        }
      case .text, .secret, .search, .multiline, .number:
        let control = UITextField(frame: CGRect(x: 0, y: 0, width: 200, height: 34))
        control.text = value
        control.isSecureTextEntry = field.kind == .secret
        control.accessibilityLabel = field.label
        return reporting(control, .editingChanged, field, form) { $0.text ?? "" }
      }
    }

    /// Stores the value of a control at each event.
    private func reporting<Control: UIControl>(
      _ control: Control, _ event: UIControl.Event, _ field: PageField, _ form: Page<Action>.Form,
      value: @escaping @MainActor (Control) -> String
    ) -> Control {
      let report = UIAction { [weak self, weak control] _ in
        guard let self, let control else { return }
        input[form.id, default: [:]][field.name] = value(control)
        if let action = form.editAction(for: input[form.id] ?? [:]) { send(action) }
      }
      control.addAction(report, for: event)
      return control
    }
  }
#endif
