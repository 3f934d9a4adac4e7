internal import Coordinators

/// Where somebody logs in who has an account.
struct LogInScreen {
  var form: LogInForm

  var page: DemoPage {
    DemoPage(
      "Log in",
      form.notes + [
        .form(
          .credentials(id: "log-in", submit: "Log in", name: form.name) { .logIn($0) }),
        .text("No account yet? The account 'ayaka' with the password 'tulp' is there, too.", role: .note),
        .button(.init(id: "sign-up", "Sign up", .send(.openSignUp))),
      ], isLoading: form.isBusy)
  }
}

/// Where somebody gets an account.
struct SignUpScreen {
  var form: LogInForm

  var page: DemoPage {
    DemoPage(
      "Sign up",
      form.notes + [.form(.credentials(id: "sign-up", submit: "Sign up", name: form.name) { .signUp($0) })],
      isLoading: form.isBusy)
  }
}

extension LogInForm {
  fileprivate var notes: [DemoPage.Element] { problem.map { [.text($0, role: .alert)] } ?? [] }
}

extension Page.Form {
  fileprivate static func credentials(
    id: String, submit: String, name: String, _ action: @escaping @Sendable (Credentials) -> Action
  ) -> Self {
    Self(
      id: id, submit: submit,
      fields: [PageField("name", "Name", value: name), PageField("password", "Password", kind: .secret)]
    ) { values in
      action(Credentials(name: values["name"], password: values["password"]))
    }
  }
}
