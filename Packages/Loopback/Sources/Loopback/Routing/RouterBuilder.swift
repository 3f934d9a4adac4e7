/// Lets a ``Router`` be written as routes one below the other.
@resultBuilder public enum RouterBuilder {
  /// Takes one route.
  public static func buildExpression(_ route: Route) -> [Route] { [route] }
  /// Takes every route of another router, with what ``Router/mapReplies(_:)`` made of it.
  public static func buildExpression(_ router: Router) -> [Route] { router.transformedRoutes }
  /// Joins routes in order.
  public static func buildBlock(_ parts: [Route]...) -> [Route] { parts.flatMap { $0 } }
  /// Takes routes under an `if`.
  public static func buildOptional(_ part: [Route]?) -> [Route] { part ?? [] }
  /// Takes the first branch of an `if`.
  public static func buildEither(first part: [Route]) -> [Route] { part }
  /// Takes the other branch of an `if`.
  public static func buildEither(second part: [Route]) -> [Route] { part }
  /// Takes routes made in a loop.
  public static func buildArray(_ parts: [[Route]]) -> [Route] { parts.flatMap { $0 } }
}
