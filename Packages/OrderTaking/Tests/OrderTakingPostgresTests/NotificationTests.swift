import Foundation
import OrderTaking
import TestSupport
import Testing

@testable import OrderTakingPostgres

@Suite("Notifications") struct NotificationTests {
  @Test("a later notification is received in no deeper call than the first one") func depth() {
    let receiver = NotificationReceiver()
    let depths = Log<Int>()
    receiver.set { _ in depths.append(Thread.callStackReturnAddresses.count) }
    for _ in 0..<100 { receiver.receive("due") }
    #expect(depths.all == Array(repeating: depths.all[0], count: 100))
  }
}
