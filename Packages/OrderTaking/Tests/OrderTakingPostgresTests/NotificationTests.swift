import Foundation
import OrderTaking
import TestSupport
import Testing

@testable import OrderTakingPostgres

@Suite("Notifications") struct NotificationTests {
  @Test("many notifications do not deepen the call stack") func depth() {
    let receiver = NotificationReceiver()
    let depths = Log<Int>()
    receiver.set { _ in depths.append(Thread.callStackReturnAddresses.count) }
    for _ in 0..<100 { receiver.receive("due") }
    #expect(depths.all == Array(repeating: depths.all[0], count: 100))
  }
}
