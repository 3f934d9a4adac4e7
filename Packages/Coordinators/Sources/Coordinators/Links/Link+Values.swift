// One initialiser for each number of values. A parameter pack would say it once, and take half a microsecond for each link
// that is asked, since it cannot be specialised.

extension Link {
  /// Creates a link with one value.
  ///
  /// - Parameters:
  ///   - template: What the link looks like, from the first segment of the path on.
  ///   - a: What the placeholder stands for.
  ///   - build: Makes the route from the value; called once for a link that fits.
  ///   - extract: Gives the value of a route back, or `nil` for a route of another kind. It has to give what `build` was
  ///     given.
  @inlinable @inline(never)
  public init<A>(
    _ template: String, _ a: LinkValue<A>,
    to build: @escaping @Sendable (A) -> Route, from extract: @escaping @Sendable (Route) -> A?
  ) {
    self.init(
      template, [a.requirement],
      read: { reader in
        do { return build(try a.next(&reader)) } catch { return nil }
      },
      write: { route, writer in
        guard let value = extract(route) else { return false }
        a.writeNext(value, &writer)
        return true
      })
  }

  /// Creates a link with two values.
  ///
  /// The values stand for the placeholders in the order of the template; otherwise as with one.
  @inlinable @inline(never)
  public init<A, B>(
    _ template: String, _ a: LinkValue<A>, _ b: LinkValue<B>,
    to build: @escaping @Sendable (A, B) -> Route, from extract: @escaping @Sendable (Route) -> (A, B)?
  ) {
    self.init(
      template, [a.requirement, b.requirement],
      read: { reader in
        do { return build(try a.next(&reader), try b.next(&reader)) } catch { return nil }
      },
      write: { route, writer in
        guard let values = extract(route) else { return false }
        a.writeNext(values.0, &writer)
        b.writeNext(values.1, &writer)
        return true
      })
  }

  /// Creates a link with three values.
  ///
  /// The values stand for the placeholders in the order of the template; otherwise as with one.
  @inlinable @inline(never)
  public init<A, B, C>(
    _ template: String, _ a: LinkValue<A>, _ b: LinkValue<B>, _ c: LinkValue<C>,
    to build: @escaping @Sendable (A, B, C) -> Route, from extract: @escaping @Sendable (Route) -> (A, B, C)?
  ) {
    self.init(
      template, [a.requirement, b.requirement, c.requirement],
      read: { reader in
        do { return build(try a.next(&reader), try b.next(&reader), try c.next(&reader)) } catch { return nil }
      },
      write: { route, writer in
        guard let values = extract(route) else { return false }
        a.writeNext(values.0, &writer)
        b.writeNext(values.1, &writer)
        c.writeNext(values.2, &writer)
        return true
      })
  }

  /// Creates a link with four values.
  ///
  /// The values stand for the placeholders in the order of the template; otherwise as with one.
  @inlinable @inline(never)
  public init<A, B, C, D>(
    _ template: String, _ a: LinkValue<A>, _ b: LinkValue<B>, _ c: LinkValue<C>, _ d: LinkValue<D>,
    to build: @escaping @Sendable (A, B, C, D) -> Route, from extract: @escaping @Sendable (Route) -> (A, B, C, D)?
  ) {
    self.init(
      template, [a.requirement, b.requirement, c.requirement, d.requirement],
      read: { reader in
        do { return build(try a.next(&reader), try b.next(&reader), try c.next(&reader), try d.next(&reader)) } catch {
          return nil
        }
      },
      write: { route, writer in
        guard let values = extract(route) else { return false }
        a.writeNext(values.0, &writer)
        b.writeNext(values.1, &writer)
        c.writeNext(values.2, &writer)
        d.writeNext(values.3, &writer)
        return true
      })
  }

  /// Creates a link with five values.
  ///
  /// The values stand for the placeholders in the order of the template; otherwise as with one.
  @inlinable @inline(never)
  public init<A, B, C, D, E>(
    _ template: String, _ a: LinkValue<A>, _ b: LinkValue<B>, _ c: LinkValue<C>, _ d: LinkValue<D>, _ e: LinkValue<E>,
    to build: @escaping @Sendable (A, B, C, D, E) -> Route,
    from extract: @escaping @Sendable (Route) -> (A, B, C, D, E)?
  ) {
    self.init(
      template, [a.requirement, b.requirement, c.requirement, d.requirement, e.requirement],
      read: { reader in
        do {
          return build(
            try a.next(&reader), try b.next(&reader), try c.next(&reader), try d.next(&reader), try e.next(&reader))
        } catch { return nil }
      },
      write: { route, writer in
        guard let values = extract(route) else { return false }
        a.writeNext(values.0, &writer)
        b.writeNext(values.1, &writer)
        c.writeNext(values.2, &writer)
        d.writeNext(values.3, &writer)
        e.writeNext(values.4, &writer)
        return true
      })
  }

  /// Creates a link with six values.
  ///
  /// The values stand for the placeholders in the order of the template; otherwise as with one.
  @inlinable @inline(never)
  public init<A, B, C, D, E, F>(
    _ template: String, _ a: LinkValue<A>, _ b: LinkValue<B>, _ c: LinkValue<C>, _ d: LinkValue<D>, _ e: LinkValue<E>,
    _ f: LinkValue<F>,
    to build: @escaping @Sendable (A, B, C, D, E, F) -> Route,
    from extract: @escaping @Sendable (Route) -> (A, B, C, D, E, F)?
  ) {
    self.init(
      template, [a.requirement, b.requirement, c.requirement, d.requirement, e.requirement, f.requirement],
      read: { reader in
        do {
          return build(
            try a.next(&reader), try b.next(&reader), try c.next(&reader), try d.next(&reader), try e.next(&reader),
            try f.next(&reader))
        } catch { return nil }
      },
      write: { route, writer in
        guard let values = extract(route) else { return false }
        a.writeNext(values.0, &writer)
        b.writeNext(values.1, &writer)
        c.writeNext(values.2, &writer)
        d.writeNext(values.3, &writer)
        e.writeNext(values.4, &writer)
        f.writeNext(values.5, &writer)
        return true
      })
  }
}
