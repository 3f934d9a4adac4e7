import Testing

@testable import WebSnapshotting

@Suite("Console messages")
struct ConsoleTests {
  @Test("messages join their values, errors are shown without their stack, and half of a character is replaced")
  func console() async throws {
    let page = WebPage(
      html: #"""
        <script>
          console.log('😀', 5, true, undefined, null, -0); console.warn({ a: 1 });
          console.info('a\uD800b'); console.error(new Error('Tide')); throw new TypeError('Ebb.');
        </script>
        """#)
    let lines = [
      "log: 😀 5 true undefined null -0", "warning: Object", "info: a\u{FFFD}b", "error: Error: Tide",
      "uncaught: TypeError: Ebb",
    ]
    #expect(try await Browser.shared.console(of: page).split(separator: "\n").map(String.init) == lines)
  }
}
