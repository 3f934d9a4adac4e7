import Arguments
import Testing

#if os(macOS) || os(Linux) || os(Windows)
  @Suite("The process")
  struct LaunchTests {
    @Test("A mistake goes to standard error and ends the process with 64")
    func mistake() async throws {
      let result = await #expect(
        processExitsWith: .exitCode(64), observing: [\.standardOutputContent, \.standardErrorContent]
      ) {
        _ = demo.parseOrExit(["birds", "--sav"])
      }
      let error = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
      #expect(error.contains("Error: Unknown option '--sav'. Did you mean '--save'?\nUsage: demo birds "))
      #expect(!String(decoding: try #require(result).standardOutputContent, as: UTF8.self).contains("Usage:"))
    }

    @Test("Help goes to standard output, laid out for the width, and ends the process with 0")
    func help() async throws {
      let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
        _ = demo.parseOrExit(["birds", "--help"], width: 60)
      }
      let output = String(decoding: try #require(result).standardOutputContent, as: UTF8.self)
      #expect(output.contains(text("birds --help", width: 60) ?? "nothing"))
    }
  }
#endif
