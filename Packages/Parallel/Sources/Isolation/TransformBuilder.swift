/// Makes the body of a `map` closure a unit of its own for the compiler.
///
/// Without it, Swift solves all closures of a chain together: the time grows exponentially with the operators inside of nested closures,
/// such as `.map { $0.filter { $0.total * 2 > 1 } }`. With it, a chain of 20 operators takes a fraction of a second, and a mistake is
/// reported at its closure.
///
/// A closure with `return` is compiled as without a builder. If it contains a mistake, remove `return` from the last line to see the
/// mistake. A closure without `return` can end with an expression, an `if` or a `switch`. With `while`, `do` or `defer` it needs a
/// `return`.
@resultBuilder
public enum TransformBuilder<Value> {
  @inlinable
  public static func buildExpression(_ value: Value) -> Value { value }

  @inlinable
  public static func buildBlock(_ value: Value) -> Value { value }

  @inlinable
  public static func buildEither(first value: Value) -> Value { value }

  @inlinable
  public static func buildEither(second value: Value) -> Value { value }
}

extension TransformBuilder where Value == Void {
  @inlinable
  public static func buildBlock(_ statements: Void...) {}

  @inlinable
  public static func buildOptional(_ statement: Void?) {}

  @inlinable
  public static func buildArray(_ statements: [Void]) {}
}
