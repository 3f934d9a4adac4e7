// A client of `TestSupport`: a property, a log, a thread, a folder and a child process.

import TestSupport

func sumsStaySmall() throws {
  try checkProperty("sums stay small", .array(of: .int(in: 0...10))) { $0.reduce(0, +) <= 10_000 }
}

func firstLine(of program: String) async throws -> String? {
  try await ChildProcess(program, ["--help"]).line()
}

func firstEntry(of log: Log<Int>) async -> Int? { await log.first(1).first }

func answered(by work: @escaping @Sendable () -> Int) async -> Int { await onThread(stackSize: 1 << 20, work) }

func emptyFolder() throws(TemporaryFolderError) -> TemporaryFolder { try TemporaryFolder() }
