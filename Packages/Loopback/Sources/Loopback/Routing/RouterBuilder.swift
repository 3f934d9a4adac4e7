@resultBuilder public enum RouterBuilder {
  public static func buildExpression(_ route: Route) -> [Route] { [route] }
  public static func buildExpression(_ router: Router) -> [Route] { router.routes }
  public static func buildBlock(_ parts: [Route]...) -> [Route] { parts.flatMap { $0 } }
  public static func buildArray(_ parts: [[Route]]) -> [Route] { parts.flatMap { $0 } }
}
