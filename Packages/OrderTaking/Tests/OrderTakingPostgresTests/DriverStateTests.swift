import OrderTaking
import Testing

@testable import OrderTakingPostgres

@Suite("The state of push channels") struct DriverStateTests {
  private let driver = DriverID("d")
  private var state = DriverState()

  private func push(_ cursor: UInt64) -> ReceivedPush {
    ReceivedPush(order: "1", result: .accepted, checkpoint: PushCheckpoint(epoch: "e", cursor: cursor))
  }

  private func claim(_ fence: Int64?) -> [DriverState.Claim] { [DriverState.Claim(driver: driver, fence: fence)] }

  private mutating func own(_ fence: Int64, from checkpoint: PushCheckpoint? = nil) {
    state.claimed(claim(nil), [driver: DriverState.Claimed(fence: fence, checkpoint: checkpoint)])
  }

  @Test("pushes are stored one at a time, in their order") mutating func order() {
    state.subscribe(driver)
    own(1)
    for cursor in 1...3 { state.received(push(UInt64(cursor)), of: driver, fence: 1) }
    #expect(
      state.takeEffects() == [
        .claim(claim(nil)), .open(driver, fence: 1, from: nil), .store(push(1), of: driver, fence: 1),
      ]
    )
    state.stored(driver, fence: 1, isStored: true)
    #expect(state.takeEffects() == [.store(push(2), of: driver, fence: 1)])
  }

  @Test("a push that may not be stored closes the channel, and no later push is stored before it")
  mutating func failed() {
    state.subscribe(driver)
    own(1)
    for cursor in 1...2 { state.received(push(UInt64(cursor)), of: driver, fence: 1) }
    _ = state.takeEffects()
    state.stored(driver, fence: 1, isStored: false)
    state.received(push(3), of: driver, fence: 1)
    #expect(state.takeEffects() == [.close(driver)])
    state.claim()
    own(2, from: PushCheckpoint(epoch: "e", cursor: 0))
    state.received(push(3), of: driver, fence: 1)
    #expect(
      state.takeEffects() == [
        .claim(claim(nil)), .open(driver, fence: 2, from: PushCheckpoint(epoch: "e", cursor: 0)),
      ])
  }

  @Test("too many pushes that are not stored close the channel, and it opens again when the received ones are stored")
  mutating func limit() {
    state.subscribe(driver)
    own(1)
    for cursor in 1...DriverState.limit { state.received(push(UInt64(cursor)), of: driver, fence: 1) }
    _ = state.takeEffects()
    for cursor: UInt64 in [0, 1] { state.received(push(cursor), of: driver, fence: 1) }
    #expect(state.takeEffects() == [.close(driver)])
    for cursor in 2...DriverState.limit {
      state.stored(driver, fence: 1, isStored: true)
      #expect(state.takeEffects() == [.store(push(UInt64(cursor)), of: driver, fence: 1)])
    }
    state.stored(driver, fence: 1, isStored: true)
    #expect(state.takeEffects() == [.claim(claim(nil))])
    let checkpoint = PushCheckpoint(epoch: "e", cursor: UInt64(DriverState.limit))
    own(2, from: checkpoint)
    #expect(state.takeEffects() == [.open(driver, fence: 2, from: checkpoint)])
  }

  @Test("a claim that is answered after the last subscriber has left is released") mutating func lateClaim() {
    state.subscribe(driver)
    state.unsubscribe(driver)
    own(4)
    #expect(state.takeEffects() == [.claim(claim(nil)), .release(driver, fence: 4)])
  }

  @Test("a renewal that is answered after the last subscriber has left is released again") mutating func lateRenewal() {
    state.subscribe(driver)
    own(4)
    state.claim()
    state.unsubscribe(driver)
    _ = state.takeEffects()
    state.claimed(claim(4), [driver: DriverState.Claimed(fence: 4, checkpoint: nil)])
    #expect(state.takeEffects() == [.release(driver, fence: 4)])
  }

  @Test("a renewal after a lost push claims the driver again") mutating func lostDuringRenewal() {
    state.subscribe(driver)
    own(1)
    state.received(push(1), of: driver, fence: 1)
    state.claim()
    state.stored(driver, fence: 1, isStored: false)
    _ = state.takeEffects()
    state.claimed(claim(1), [driver: DriverState.Claimed(fence: 1, checkpoint: nil)])
    #expect(state.takeEffects() == [.claim(claim(nil))])
  }

  @Test("a subscription during a claim is claimed after it") mutating func second() {
    state.subscribe(driver)
    state.subscribe(DriverID("e"))
    #expect(state.takeEffects() == [.claim(claim(nil))])
    own(1)
    let both = [DriverState.Claim(driver: driver, fence: 1), DriverState.Claim(driver: DriverID("e"), fence: nil)]
    #expect(state.takeEffects() == [.open(driver, fence: 1, from: nil), .claim(both)])
  }
}
