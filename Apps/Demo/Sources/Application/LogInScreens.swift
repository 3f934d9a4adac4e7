internal import Coordinators

/// The pages with the fields for name and password, and the reason why the last attempt failed.
extension LogInForm {
  var logInPage: DemoPage {
    page(
      "Log in",
      [
        .text("No account? Sign up, or use the demo account 'ayaka' with password 'tulp'.", role: .note),
        .button(.init(id: "sign-up", "Sign up", .send(.openSignUp))),
      ], .password
    ) { .logIn($0) }
  }

  var signUpPage: DemoPage { page("Sign up", [], .newPassword) { .signUp($0) } }

  private func page(
    _ title: String, _ rest: [DemoPage.Element], _ password: PageField.Autofill,
    action: @escaping @Sendable (Credentials) -> DemoScreen.Action
  ) -> DemoPage {
    let fields = [
      PageField("name", "Name", value: name, autofill: .username, isInvalid: invalidFields.contains("name")),
      PageField(
        "password", "Password", kind: .secret, autofill: password, isInvalid: invalidFields.contains("password")),
    ]
    let form = DemoPage.Form(id: "credentials", submit: title, fields: fields) { values in
      action(Credentials(name: values["name"], password: values["password"]))
    } edited: {
      .typeCredentials(name: $0["name"], hasPassword: !$0["password"].isEmpty)
    }
    let notes: [DemoPage.Element] = problem.map { [.text($0, role: .alert)] } ?? []
    return DemoPage(title, notes + [.form(form)] + rest, isLoading: isBusy)
  }
}
