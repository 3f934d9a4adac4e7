import Testing
import WebSnapshotting

@Suite("The clocks of a page", .timeLimit(.minutes(5)))
struct ClockTests {
  /// Checks all clocks of a realm, and returns the names of those that run.
  private static let looks = """
    const look = (scope) => {
      const now = 1545048000000;
      const { Date, Intl, performance } = scope;
      class Later extends Date { get isLater() { return true } }
      const day = (format) => format.includes('2018');
      const format = Intl.DateTimeFormat('en', { dateStyle: 'full', timeZone: 'UTC' });
      const checks = {
        'Date.now': Date.now() === now,
        'new Date': +new Date() === now && new Date() instanceof Date,
        'Date()': Date().startsWith('Mon Dec 17 2018 12:00:00') && typeof Date() === 'string',
        'parts': new Date(2020, 0, 1).getFullYear() === 2020 && +new Date(0) === 0 && isNaN(new Date(undefined)),
        'subclass': +new Later() === now && new Later().isLater && new Later(5).getTime() === 5,
        'names': Date.name === 'Date' && Date.length === 7 && Date.now.name === 'now' && Date.UTC(1970) === 0,
        'hidden': !Object.keys(Date).length && !Object.getOwnPropertyDescriptor(Date, 'now').enumerable,
        'format': day(format.format()) && day(format.format(undefined)) && format.format(0).includes('1970'),
        'parts of a format': format.formatToParts().some(({ value }) => value === '2018'),
        'locale': day(new Date().toLocaleDateString('en')),
        'clone': !scope.structuredClone || +scope.structuredClone(new Date()) === now,
        'origin': performance.timeOrigin === now,
        'performance.now': performance.now() >= 0 && performance.now() < 1e6,
      };
      return Object.entries(checks).filter(([, holds]) => !holds).map(([name]) => name).join() || 'all stand';
    };
    """

  @Test("clocks stand in windows and frames")
  func everywhere() async throws {
    let html = """
      <iframe id=a srcdoc='<p>'></iframe><script>
        \(Self.looks)
        const blank = document.createElement('iframe');
        document.body.append(blank);
        onload = () => console.log(look(globalThis), look(blank.contentWindow), look(a.contentWindow));
      </script>
      """
    #expect(try await Browser.shared.console(of: WebPage(html: html)) == "log: all stand all stand all stand\n")
  }
}
