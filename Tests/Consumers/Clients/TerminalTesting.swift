// A client of `TerminalTesting`: it waits for the output of a program on a terminal.

import Terminal
import TerminalTesting

func firstLine(of output: String) -> String? {
  var reader = ScreenReader(columns: 80, rows: 24)
  reader.receive(output)
  return reader.lines.first
}

func pagerShows(_ text: String, of file: String) async throws -> Bool {
  let terminal = try TerminalProcess("/usr/bin/less", [file])
  try await terminal.wait(for: text)
  terminal.type("q")
  return await terminal.ending() == 0 && terminal.isRestored
}
