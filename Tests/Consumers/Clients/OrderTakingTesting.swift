// A client of `OrderTakingTesting`: a test without a test library.

import OrderTaking
import OrderTakingTesting
import ParallelTesting

func isTakenByPush() -> Bool {
  let experiment = Experiment<String, Int>(putRequestResults: [.none], orderDetailsResults: [.details(1)])
  let future = experiment.setup().take("seven")
  experiment.sendPushAccept(for: "seven", after: .seconds(1))
  experiment.clock.advance(by: .seconds(1))
  return future.value?.details == 1
}
