internal import Foundation

extension Scripts {
  /// Stops the clocks of a window or a worker at an instant.
  ///
  /// The replacements are proxies of the browser's functions, with the same names and texts. Timers and `performance.now()` run.
  static func freezing(_ now: Date) -> String {
    """
    (() => {
      const now = \(milliseconds(of: now));
      const scope = globalThis;
      const { apply, construct } = Reflect;
      const { defineProperty, getOwnPropertyDescriptor } = Object;
      // A page could add a trap to a prototype.
      const proxy = (target, traps) => new Proxy(target, { __proto__: null, ...traps });
      const replace = (holder, name, make) => {
        const property = holder && getOwnPropertyDescriptor(holder, name);
        if (!property) return;
        const part = property.get ? 'get' : 'value';
        property[part] = make(property[part]);
        defineProperty(holder, name, property);
      };
      const answering = (answer) => (original) => proxy(original, { apply: answer });
      const instant = (date) => date === undefined ? now : date;

      const Real = Date;
      const { toString } = Real.prototype;
      const local = () => new Real(now);
      replace(Real, 'now', answering(() => now));
      const Frozen = proxy(Real, {
        apply: () => apply(toString, local(), []),
        construct: (target, parts, made) => construct(target, parts.length === 0 ? [now] : parts, made),
      });
      replace(Real.prototype, 'constructor', () => Frozen);
      replace(scope, 'Date', () => Frozen);

      const formats = new WeakMap();
      const { get, set } = WeakMap.prototype;
      const format = Intl.DateTimeFormat.prototype;
      replace(format, 'format', answering((getter, self) => {
        const real = apply(getter, self, []);
        const known = apply(get, formats, [real]);
        if (known) return known;
        const frozen = proxy(real, { apply: (target, me, parts) => apply(target, me, [instant(parts[0])]) });
        apply(set, formats, [real, frozen]);
        return frozen;
      }));
      replace(format, 'formatToParts', answering((target, self, parts) => apply(target, self, [instant(parts[0])])));

      if (scope.Temporal) {
        const { Instant, Now } = Temporal;
        const { timeZoneId } = Now;
        const frozen = () => Instant.fromEpochMilliseconds(now);
        const zoned = (zone) => frozen().toZonedDateTimeISO(zone === undefined ? timeZoneId() : zone);
        replace(Now, 'instant', answering(() => frozen()));
        replace(Now, 'zonedDateTimeISO', answering((target, self, parts) => zoned(parts[0])));
        replace(Now, 'plainDateTimeISO', answering((target, self, parts) => zoned(parts[0]).toPlainDateTime()));
        replace(Now, 'plainDateISO', answering((target, self, parts) => zoned(parts[0]).toPlainDate()));
        replace(Now, 'plainTimeISO', answering((target, self, parts) => zoned(parts[0]).toPlainTime()));
      }

      replace(Performance.prototype, 'timeOrigin', answering(() => now));
      if (scope.Document) {
        const two = (number) => (number < 10 ? '0' : '') + number;
        replace(Document.prototype, 'lastModified', answering((target, self) => {
          apply(target, self, []);
          const date = local();
          return two(date.getMonth() + 1) + '/' + two(date.getDate()) + '/' + date.getFullYear() + ' '
            + two(date.getHours()) + ':' + two(date.getMinutes()) + ':' + two(date.getSeconds());
        }));
      }
    })()
    """
  }

  /// The milliseconds of an instant, limited to the range of JavaScript's dates.
  private static func milliseconds(of date: Date) -> Int64 {
    let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
    return milliseconds.isNaN ? 0 : Int64(min(max(milliseconds, -8.64e15), 8.64e15))
  }
}
