internal import Foundation

extension Scripts {
  /// Sets the clocks, the random numbers and the storage of a window, before the page's scripts run.
  ///
  /// The browser's own virtual time does not replace this: with it, `Date` moves with each timer, the number of animation frames varies,
  /// and the browser takes no image while the time is paused.
  static func environment(of page: WebPage) -> String {
    """
    (() => {
      const replace = (holder, name, make) => {
        const property = Object.getOwnPropertyDescriptor(holder, name);
        if (!property) return;
        const part = property.get ? 'get' : 'value';
        property[part] = make(property[part]);
        Object.defineProperty(holder, name, property);
      };
      const answering = (answer) => (original) => new Proxy(original, { apply: answer });
      // The animations and masks of closed shadow trees are found too.
      replace(Element.prototype, 'attachShadow', answering((target, self, [options]) =>
        target.call(self, options && { ...options, mode: options.mode === 'closed' ? 'open' : options.mode })));
      \(page.animates ? "" : skipping)
      \(page.now.map(freezing) ?? "")
      \(page.seed.map(seeding) ?? "")
      \(page.localStorage.isEmpty ? "" : storing(page.localStorage))
    })()
    """
  }

  /// Ends view transitions at once: the browser draws none while images are taken.
  private static let skipping = """
    replace(Document.prototype, 'startViewTransition', answering((target, self, parts) => {
        const transition = target.apply(self, parts);
        transition.ready.catch(() => {});
        transition.skipTransition();
        return transition;
      }));
    """

  /// Makes random numbers equal in each capture, and counts the time of the page from zero.
  private static func seeding(_ seed: UInt32) -> String {
    """
    let state = \(seed);
      const random = () => {
        state = (state + 0x6D2B79F5) | 0;
        let mixed = Math.imul(state ^ (state >>> 15), state | 1);
        mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
        return (mixed ^ (mixed >>> 14)) >>> 0;
      };
      replace(Math, 'random', answering(() => random() / 4294967296));
      replace(Crypto.prototype, 'getRandomValues', answering((target, self, [array]) => {
        target.call(self, array);
        const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
        for (let index = 0; index < bytes.length; index += 1) bytes[index] = random();
        return array;
      }));
      replace(Crypto.prototype, 'randomUUID', answering(() => {
        const digits = Array.from({ length: 32 }, () => (random() & 15).toString(16));
        [digits[12], digits[16]] = ['4', (8 | random() & 3).toString(16)];
        return digits.join('').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
      }));
      const begin = performance.now();
      replace(Performance.prototype, 'now', answering((target, self) => target.call(self) - begin));
      replace(globalThis, 'requestAnimationFrame', answering((target, self, [draw]) =>
        target.call(self, typeof draw === 'function' ? (time) => draw(Math.max(time - begin, 0)) : draw)));
    """
  }

  /// Sets the local storage of the page's origin; a page that reloads itself keeps its own changes.
  private static func storing(_ values: [String: String]) -> String {
    """
    try {
        if (top === self && localStorage.length === 0) {
          Object.assign(localStorage, \(JSONValue.object(values.mapValues { .string($0) }).text));
        }
      } catch {}
    """
  }

  /// Stops the clocks at an instant.
  private static func freezing(_ now: Date) -> String {
    """
    const now = \(Int64(exactly: (now.timeIntervalSince1970 * 1_000).rounded()) ?? 0);
      const Frozen = new Proxy(Date, {
        apply: () => new Frozen().toString(),
        construct: (target, parts, made) => Reflect.construct(target, parts.length === 0 ? [now] : parts, made),
      });
      replace(Date, 'now', answering(() => now));
      replace(globalThis, 'Date', () => Frozen);

      const format = Intl.DateTimeFormat.prototype;
      replace(format, 'format', answering((getter, self) => {
        const real = getter.call(self);
        return (date = now) => real(date);
      }));
      replace(format, 'formatToParts', answering((target, self, [date = now]) => target.call(self, date)));
      replace(Performance.prototype, 'timeOrigin', answering(() => now));
    """
  }
}
