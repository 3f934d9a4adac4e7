internal import Futures

extension RunningTaking {
  func startTaking(_ body: [UInt8]) {
    readRecord { known in
      let now = self.taker.environment.timers.now()
      guard let known, !known.hasKnownOutcome || known.isAccepted,
        known.isUnfinished || !self.has(.freshKeyAfterUnknown)
      else {
        let intent = TakingIntent(order: self.order, key: self.taker.makeKey(), body: body)
        return self.start(TakingRecord(intent: intent, begunAt: now.sinceEpoch), .begin)
      }
      guard known.intent.body == body else { return self.fail(OrderTaker<OrderID, Details>.otherBody(self.order)) }
      var renewed = known
      // The age limit counts from this call, so that a restart may put the order again.
      if !known.isAccepted { renewed.begunAt = now.sinceEpoch }
      self.start(renewed, .resume(known.history, .take))
    }
  }

  func startReconciling() {
    readRecord(mayHaveSent: true) { known in
      guard let known else {
        let reason = "Cannot reconcile order \(self.order): the journal has no record of it. Take it instead."
        return self.fail(OrderTakingFailure(.journal, reason: reason))
      }
      self.start(known, .resume(known.history, .reconcile))
    }
  }

  func startResuming(_ first: TakingRecord<OrderID>) {
    if has(.resumesStaleRecords) {
      return start(first, .resume(first.history, .recover(ageLimit: taker.environment.policy.value.deadline)))
    }
    // The record is read again, because another call may have ended the order since `resume` read all records.
    readRecord(mayHaveSent: true) { known in
      guard let known else {
        let reason = "Cannot resume order \(self.order): its record was removed from the journal. Take the order again."
        return self.fail(OrderTakingFailure(.journal, reason: reason))
      }
      self.start(known, .resume(known.history, .recover(ageLimit: self.taker.environment.policy.value.deadline)))
    }
  }

  /// - Parameter mayHaveSent: Whether an earlier operation may have sent a request, so that the outcome is unknown without the record.
  private func readRecord(
    mayHaveSent: Bool = false, _ start: @escaping @Sendable (TakingRecord<OrderID>?) -> Void
  ) {
    taker.journal.record(order).onComplete(immediateExecutionContext) { result in
      switch result {
      case .success(let record): start(record)
      case .failure(let error):
        self.fail(OrderTakingFailure(mayHaveSent ? .unknown : .journal, reason: "\(error)"))
      }
    }
  }

  private func fail(_ failure: OrderTakingFailure) {
    close(.failure(failure))
  }
}
