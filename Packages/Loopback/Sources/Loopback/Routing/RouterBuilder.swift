/// Builds a ``Router`` from a list of routes.
@resultBuilder public enum RouterBuilder {
  /// Adds one route.
  public static func buildExpression(_ route: Route) -> [Route] { [route] }
  /// Adds every route of another router.
  public static func buildExpression(_ router: Router) -> [Route] { router.routes }
  /// Joins routes in order.
  public static func buildBlock(_ parts: [Route]...) -> [Route] { parts.flatMap { $0 } }
  /// Adds the routes of a loop.
  public static func buildArray(_ parts: [[Route]]) -> [Route] { parts.flatMap { $0 } }
}
