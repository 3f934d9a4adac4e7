import Foundation
import Testing
import WebSnapshotting

@Suite("The clocks of a page", .timeLimit(.minutes(2)))
struct ClockTests {
  /// Checks all clocks of a realm, and returns the names of those that run.
  private static let looks = """
    const look = (scope, isWindow) => {
      const now = 1545048000000;
      const { Date, Intl, performance, Temporal } = scope;
      class Later extends Date { get isLater() { return true } }
      const day = (format) => format.includes('2018');
      const format = Intl.DateTimeFormat('en', { dateStyle: 'full', timeZone: 'UTC' });
      const checks = {
        'Date.now': Date.now() === now,
        'new Date': +new Date() === now && new Date() instanceof Date,
        'Date()': Date().startsWith('Mon Dec 17 2018 12:00:00') && typeof Date() === 'string',
        'parts': new Date(2020, 0, 1).getFullYear() === 2020 && +new Date(0) === 0 && isNaN(new Date(undefined)),
        'subclass': +new Later() === now && new Later().isLater && new Later(5).getTime() === 5,
        'constructor': +new new Date().constructor() === now && Date.prototype.constructor === Date,
        'text': [Date, Date.now, Intl.DateTimeFormat.prototype.formatToParts]
          .every((f) => Function.prototype.toString.call(f).includes('[native code]')),
        'names': Date.name === 'Date' && Date.length === 7 && Date.now.name === 'now' && Date.UTC(1970) === 0,
        'hidden': !Object.keys(Date).length && !Object.getOwnPropertyDescriptor(Date, 'now').enumerable,
        'format': day(format.format()) && day(format.format(undefined)) && format.format(0).includes('1970'),
        'same format': format.format === format.format && ['x'].map(format.format.bind(null, 0))[0].includes('1970'),
        'parts of a format': format.formatToParts().some(({ value }) => value === '2018'),
        'locale': day(new Date().toLocaleDateString('en')),
        'clone': !scope.structuredClone || +scope.structuredClone(new Date()) === now,
        'origin': performance.timeOrigin === now,
        'Temporal': !Temporal || Temporal.Now.instant().epochMilliseconds === now
          && Temporal.Now.plainDateISO('UTC').toString() === '2018-12-17'
          && Temporal.Now.plainDateTimeISO('Asia/Tokyo').toString() === '2018-12-17T21:00:00'
          && Temporal.Now.plainTimeISO().toString() === '12:00:00'
          && Temporal.Now.zonedDateTimeISO('Asia/Tokyo').timeZoneId === 'Asia/Tokyo',
        'document': !isWindow || scope.document.lastModified === '12/17/2018 12:00:00',
        'performance.now': performance.now() >= 0 && performance.now() < 1e6,
      };
      return Object.entries(checks).filter(([, holds]) => !holds).map(([name]) => name).join() || 'all stand';
    };
    """

  @Test("clocks stand in windows, frames and nested workers")
  func everywhere() async throws {
    let html = """
      <iframe id=a srcdoc='<p>'></iframe><script>
        \(Self.looks)
        const all = { window: look(globalThis, true) };
        const blank = document.createElement('iframe');
        document.body.append(blank);
        all.blank = look(blank.contentWindow, true);
        const inner = `${look}; postMessage(look(globalThis, false))`;
        const outer = `onmessage = ({ data }) => { const inner = new Worker(URL.createObjectURL(new Blob([data])));
          inner.onmessage = ({ data }) => postMessage(data) }; ${look}; postMessage(look(globalThis, false))`;
        const worker = new Worker(URL.createObjectURL(new Blob([outer.replaceAll('(scope, isWindow) =>', 'look = (scope, isWindow) =>')])));
        const answers = [];
        worker.onmessage = ({ data }) => {
          answers.push(data);
          if (answers.length === 1) worker.postMessage(inner.replace('(scope, isWindow) =>', 'look = (scope, isWindow) =>'));
          else globalThis.isDone = true;
        };
        onload = () => { all.frame = look(a.contentWindow, true) };
        const tell = () => globalThis.isDone && all.frame
          ? console.log(all.window, all.blank, all.frame, ...answers) : setTimeout(tell, 1);
        tell();
      </script>
      """
    var page = WebPage(html: html)
    page.readiness = [.predicate("globalThis.isDone && all.frame && (tell(), true)")]
    let console = try await Browser.shared.console(of: page)
    #expect(console.hasPrefix("log: all stand all stand all stand all stand all stand\n"), "\(console)")
  }

  @Test("clocks run on request, and stand at instants outside of the range of dates")
  func going() async throws {
    let html = """
      <script>
        const worker = new Worker(URL.createObjectURL(new Blob(['postMessage(Date.now())'])));
        worker.onmessage = ({ data }) => {
          console.log(Math.abs(data - Date.now()) < 6e5, new Date().getFullYear()); globalThis.isDone = true };
      </script>
      """
    var page = WebPage(html: html)
    page.readiness = [.predicate("globalThis.isDone")]
    page.now = nil
    let year = Calendar(identifier: .gregorian).component(.year, from: Date())
    #expect(try await Browser.shared.console(of: page) == "log: true \(year)\n")
    for (seconds, year) in [(Double.infinity, "275760"), (-.infinity, "-271821"), (.nan, "1970"), (1e300, "275760")] {
      page.now = Date(timeIntervalSince1970: seconds)
      #expect(try await Browser.shared.console(of: page) == "log: true \(year)\n")
    }
  }

  @Test("a page cannot read the real time by changing prototypes")
  func hostile() async throws {
    let html = """
      <script>
        Object.prototype.get = Object.prototype.apply = Object.prototype.construct = () => 'trapped';
        WeakMap.prototype.get = Reflect.apply = Reflect.construct = () => 'trapped';
        Array.prototype[Symbol.iterator] = function* () { yield 0 };
        console.log(Date.now(), new Date().getTime(), new Intl.DateTimeFormat('en').format());
      </script>
      """
    #expect(
      try await Browser.shared.console(of: WebPage(html: html)) == "log: 1545048000000 1545048000000 12/17/2018\n")
  }
}
