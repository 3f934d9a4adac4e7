import BenchmarkHarness
import Testing

@Suite("Statistics") struct StatisticsTests {
  @Test("the median is the middle value, or the mean of the two middle values") func medianOfValues() {
    #expect(median([]) == nil)
    #expect(median([3]) == 3)
    #expect(median([9, 1, 5]) == 5)
    #expect(median([4, 1, 2, 100]) == 3)
  }

  @Test("the fixed cost of a run is not part of the cost per operation") func fixedCosts() {
    #expect(perOperation(once: 7 + 3 * 100, twice: 7 + 3 * 200, count: 100) == 3)
  }

  @Test("a total divided by a count is rounded up") func roundingUp() {
    #expect(roundedUp(809, dividedBy: 10) == 81)
    #expect(roundedUp(800, dividedBy: 10) == 80)
    #expect(roundedUp(1, dividedBy: 10_000) == 1)
    #expect(roundedUp(-9, dividedBy: 10) == 0)
  }

  @Test("the iterations for a sample grow at most tenfold from a trial") func calibration() {
    #expect(iterations(tried: 1, took: 0, toLast: 1_000) == 10)
    #expect(iterations(tried: 1, took: 1, toLast: 1_000) == 10)
    #expect(iterations(tried: 100, took: 500, toLast: 1_000) == 200)
    #expect(iterations(tried: 1, took: 5_000, toLast: 1_000) == 1)
  }
}
