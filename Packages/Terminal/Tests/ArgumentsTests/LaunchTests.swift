import Arguments
import Testing

#if os(macOS) || os(Linux) || os(Windows)
  @Suite("Exit codes of a process")
  struct LaunchTests {
    @Test("A usage error is printed to standard error, and the process exits with 64")
    func usageErrorExitsWith64() async throws {
      let result = await #expect(
        processExitsWith: .exitCode(64), observing: [\.standardOutputContent, \.standardErrorContent]
      ) {
        _ = demo.parseOrExit(["birds", "--sav"])
      }
      let error = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
      #expect(error.contains("Error: Unknown option '--sav'. Did you mean '--save'?\nUsage: demo birds "))
      #expect(error.contains("See 'demo birds --help' for more information.\n"))
      #expect(!String(decoding: try #require(result).standardOutputContent, as: UTF8.self).contains("Usage:"))
    }

    @Test("Help is printed to standard output at the given width, and the process exits with 0")
    func helpExitsWith0() async throws {
      let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
        _ = demo.parseOrExit(["birds", "--help"], width: 60)
      }
      let output = String(decoding: try #require(result).standardOutputContent, as: UTF8.self)
      #expect(output.contains(text("birds --help", width: 60) ?? "nothing"))
    }
  }
#endif
