internal import Parallel

extension Snapshotting where Format == String {
  /// Shows the elements of an asynchronous sequence with their times.
  ///
  /// - Parameters:
  ///   - element: Shows an element.
  ///   - clock: The clock of the times, which begin at the first request. A test clock makes the times deterministic. `nil` shows
  ///     only the order.
  ///   - count: The maximum number of elements. No further elements are requested.
  ///
  /// ```swift
  /// assertSnapshot(of: search.states, as: .timeline(of: .readable, on: clock))
  /// ```
  ///
  /// ```
  /// 0.0 seconds: .idle
  /// 0.3 seconds: .searching
  /// 0.3 seconds: finished
  /// ```
  ///
  /// The last line is `finished`, `threw …`, or `stopped after N`. The sequence is used on the cooperative pool.
  public static func timeline<C: Clock>(
    of element: Snapshotting<Value.Element, String>, on clock: C?, upTo count: Int = 1_000
  ) -> Snapshotting
  where
    Value: AsyncSequence & SendableMetatype, Value.AsyncIterator: SendableMetatype, Value.Element: Sendable,
    C.Duration: Sendable
  {
    Snapshotting(copying: "txt", .lines) { sequence, context in
      let sequence = UnsafeTransfer(sequence)
      return Parallel<String> {
        let start = clock?.now
        var lines: [String] = []
        func time() -> String {
          clock.flatMap { clock in start.map { "\($0.duration(to: clock.now)): " } } ?? ""
        }
        do {
          var iterator = sequence.value.makeAsyncIterator()
          var end = "stopped after \(count)"
          while lines.count < count {
            guard let value = try await iterator.next() else {
              end = "finished"
              break
            }
            let arrival = time()
            lines.append(arrival + (try await element.capture(value, context.with()).value()))
          }
          lines.append(time() + end)
        } catch {
          lines.append(time() + "threw \(error)")
        }
        return lines.joined(separator: "\n")
      }
    }
  }

  /// Shows the elements of an asynchronous sequence in their order; see `timeline(of:on:upTo:)`.
  public static func timeline(
    of element: Snapshotting<Value.Element, String>, upTo count: Int = 1_000
  ) -> Snapshotting
  where Value: AsyncSequence & SendableMetatype, Value.AsyncIterator: SendableMetatype, Value.Element: Sendable {
    timeline(of: element, on: ContinuousClock?.none, upTo: count)
  }
}
