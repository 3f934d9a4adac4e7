internal import OrderTaking
internal import OrderTakingDispatch

// A server whose store other servers share. Each response depends on the stored orders, never on the memory of this process.

extension OrderServerCore {
  // MARK: Requests

  func serve(_ request: OrderRequest, _ received: ReceivedRequest, in shared: SharedOrders) async -> OrderResponse {
    let sender: Authorization
    switch received.sender {
    case .success(let authorization): sender = authorization
    case .failure(let refusal):
      let response = OrderResponse(refusal)
      return await afterChanges { self.recorded(response, request, received) }
    }
    let response: OrderResponse
    do throws(OrderStoreError) {
      response = try await decide(request, by: sender, received, in: shared)
    } catch {
      report(.storingFailed(error))
      response = .error(
        503, "storage", "Cannot process the request: the store cannot be used. Try again later.")
    }
    return await afterChanges { self.recorded(response, request, received) }
  }

  private func decide(
    _ request: OrderRequest, by sender: Authorization, _ received: ReceivedRequest, in shared: SharedOrders
  ) async throws(OrderStoreError) -> OrderResponse {
    // The order and the key change at most twice each, so other servers are not faster more often.
    for _ in 0..<5 {
      let orders = try await shared.orders(request, sender.driver)
      let reply = DispatchState(configuration, orders).reply(to: request, by: sender, at: timers.now().sinceEpoch)
      guard let change = reply.change else { return reply.response }
      guard try await shared.store(change) else { continue }
      if let due = reply.decisionDue { scheduleDecision(change.offer.id, after: due) }
      return reply.response
    }
    throw OrderStoreError("Cannot store the order: other servers change it all the time. Try again.")
  }

  /// After an error, the next heartbeat makes it.
  func decide(_ order: String, in shared: SharedOrders) async {
    do throws(OrderStoreError) {
      let orders = DispatchState(configuration, try await shared.orders(.taking(order: order), ""))
      guard let change = orders.decide(order), try await shared.store(change) else { return }
      let entry = AuditEntry(decided: change, at: timers.now().sinceEpoch)
      await afterChanges { self.record(entry) }
    } catch { report(.storingFailed(error)) }
  }

  // MARK: Pushes

  func handle(_ event: PushDesk.Event, in shared: SharedOrders, _ body: @escaping @Sendable (OrderServerCore) -> Void) {
    pushSteps.yield { core in
      if case .received(let id, let line) = event, let driver = core.driver(of: id, reading: line),
        await !core.catchUp([driver], in: shared)
      {
        // With old pushes, the client would miss the new ones. It connects again later.
        return core.state.withLock { state in
          core.perform(state.desk.handle(.unavailable(id), state.orders, at: core.timers.now()), &state)
        }
      }
      body(core)
    }
  }

  private func driver(of connection: Int, reading line: [UInt8]) -> String? {
    switch ClientLine(line) {
    case .subscribe(let token, _, _):
      (try? configuration.credentials.authorization(of: token, at: timers.now().sinceEpoch))?.driver
    case .replay: state.withLock { $0.desk.driver(of: connection) }
    case .heartbeat, nil: nil
    }
  }

  func notified(_ driver: String?, in shared: SharedOrders) {
    let isFirst = state.withLock { state in
      let drivers = state.desk.drivers
      defer { state.driversBehind.formUnion(driver.map { drivers.intersection([$0]) } ?? drivers) }
      return state.driversBehind.isEmpty
    }
    guard isFirst else { return }
    pushSteps.yield { core in
      let drivers = core.state.withLock { state in
        defer { state.driversBehind = [] }
        return state.driversBehind
      }
      await core.catchUp(drivers, in: shared)
    }
  }

  /// Handles a heartbeat, which also makes up for lost notifications and for servers that have ended.
  func tick(in shared: SharedOrders) {
    pushSteps.yield { core in
      await core.catchUp(core.state.withLock { $0.desk.drivers }, in: shared)
      core.tick()
      do throws(OrderStoreError) {
        // A second later than its timer, so that usually only one server decides.
        for order in try await shared.overdue(core.timers.now().sinceEpoch - .seconds(1)) {
          await core.decide(order, in: shared)
        }
      } catch { core.report(.storingFailed(error)) }
      if !core.state.withLock({ $0.hasEnded }) { core.scheduleHeartbeat() }
    }
  }

  @discardableResult
  private func catchUp(_ drivers: Set<String>, in shared: SharedOrders) async -> Bool {
    guard !drivers.isEmpty else { return true }
    let cursors = state.withLock { state in
      Dictionary(uniqueKeysWithValues: drivers.map { ($0, state.orders.lastCursor(of: $0)) })
    }
    do throws(OrderStoreError) {
      let results = try await shared.pushes(cursors, configuration.pushHistory)
      let errors = state.withLock { state in
        var errors: [OrderStoreError] = []
        for result in results {
          let entry: DispatchState.Entry
          do throws(OrderStoreError) { entry = try result.get() } catch {
            if state.decodingErrors.insert(error).inserted { errors.append(error) }
            continue
          }
          guard let push = OrderPush(entry), push.cursor > state.orders.lastCursor(of: push.driver) else { continue }
          state.orders.apply(entry)
          perform(state.desk.handle(.decided(push), state.orders, at: timers.now()), &state)
        }
        return errors
      }
      for error in errors { report(.storingFailed(error)) }
      return true
    } catch {
      report(.storingFailed(error))
      return false
    }
  }
}
