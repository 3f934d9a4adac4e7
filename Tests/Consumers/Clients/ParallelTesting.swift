// A client of `ParallelTesting`: a manual clock.

import ParallelTesting

func asleep() async throws -> Bool {
  let clock = ManualClock()
  async let slept: Void = clock.sleep(for: .seconds(3))
  try await clock.nextSleep()
  clock.advance(by: .seconds(3))
  try await slept
  return true
}
