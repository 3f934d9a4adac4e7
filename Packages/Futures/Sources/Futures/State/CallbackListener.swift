/// `@unchecked Sendable`: its own fields are constants; see `_Listener`.
@usableFromInline
final class CallbackListener<Value>: _Listener, @unchecked Sendable {
  @usableFromInline let function: @Sendable (Value) -> Void

  @inlinable
  init(_ function: @escaping @Sendable (Value) -> Void, reaction: @escaping Reaction) {
    self.function = function
    super.init(reaction: reaction)
  }
}
