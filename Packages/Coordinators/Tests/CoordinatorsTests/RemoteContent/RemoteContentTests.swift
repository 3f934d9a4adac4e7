import Coordinators
import Testing

private enum Failure: Error, Equatable { case offline }
private typealias Machine = RemoteContent<Int, Failure>

/// The machine by itself.
@Suite("Remote content")
struct RemoteContentTests {
  @Test("is loaded, shown, refreshed with the old content in sight, and tried again")
  func loadedShownRefreshedOld() {
    var machine = Machine()
    var log: [[Machine.Effect]] = []
    var phases: [Machine.Phase] = []
    let events: [Machine.Event] = [
      .appeared(cached: nil), .answered(1, .failure(.offline)), .refresh, .answered(2, .success(7)), .refresh,
      .answered(3, .failure(.offline)), .refresh, .answered(4, .success(8)),
    ]
    for event in events {
      log.append(machine.receive(event))
      phases.append(machine.phase)
    }
    #expect(log == [[.fetch(1)], [], [.fetch(2)], [.store(7)], [.fetch(3)], [], [.fetch(4)], [.store(8)]])
    #expect(
      phases == [
        .loading, .failed(.offline, nil), .loading, .content(7, isRefreshing: false), .content(7, isRefreshing: true),
        .failed(.offline, 7), .content(7, isRefreshing: true), .content(8, isRefreshing: false),
      ])
  }

  @Test("that was kept is shown at once, and fetched again when it is stale")
  func wasKeptShownAt() {
    for isFresh in [true, false] {
      var machine = Machine()
      let effects = machine.receive(.appeared(cached: CachedContent(3, isFresh: isFresh)))
      #expect(effects == (isFresh ? [] : [.fetch(1)]))
      #expect(machine.phase == .content(3, isRefreshing: !isFresh))
    }
  }

  @Test("that nobody wants any more is not fetched, and its late answer is dropped")
  func nobodyWantsAnyMore() {
    var machine = Machine()
    var log = [machine.receive(.appeared(cached: nil)), machine.receive(.left)]
    log.append(machine.receive(.answered(1, .success(1))))
    log.append(machine.receive(.appeared(cached: nil)))
    log.append(machine.receive(.answered(1, .success(1))))
    #expect(log == [[.fetch(1)], [.cancel(1)], [.droppedLateAnswer(1)], [.fetch(2)], [.droppedLateAnswer(1)]])
    #expect(machine.phase == .loading)
  }

  @Test("is not fetched anew for a screen that is out of sight")
  func refreshOutOfSight() {
    var machine = Machine()
    var log = [machine.receive(.refresh), machine.receive(.appeared(cached: CachedContent(1, isFresh: true)))]
    log += [machine.receive(.left), machine.receive(.refresh)]
    #expect(log == [[], [], [], []] && machine.phase == .idle && machine.fetchInFlight == nil)
  }

  /// Every sequence of six events, answers to every fetch there ever was among them.
  @Test("has one fetch at most, loses no content, and takes no late answer, whatever happens")
  func hasOneFetchAt() {
    var count = 0
    func explore(_ machine: Machine, _ fetches: Int, _ left: Int) {
      count += 1
      if left == 0 { return }
      var events: [Machine.Event] = [
        .appeared(cached: nil), .appeared(cached: CachedContent(-1, isFresh: true)),
        .appeared(cached: CachedContent(-2, isFresh: false)), .refresh, .left,
      ]
      for number in stride(from: 1, through: fetches, by: 1) {
        events += [.answered(number, .success(number)), .answered(number, .failure(.offline))]
      }
      for event in events {
        var after = machine
        let effects = after.receive(event)
        let begun = effects.filter { if case .fetch = $0 { true } else { false } }.count
        let ended = effects.contains { if case .cancel = $0 { true } else { false } }
        #expect(begun == 0 || machine.fetchInFlight == nil)
        #expect(begun == 1 ? after.fetchInFlight == fetches + 1 : begun == 0)
        let isLoading = after.fetchInFlight != nil
        switch after.phase {
        case .loading, .content(_, isRefreshing: true): #expect(isLoading)
        default: #expect(!isLoading)
        }
        switch event {
        case .left: #expect(ended == (machine.fetchInFlight != nil) && after.phase == .idle)
        case .answered(let number, _) where number != machine.fetchInFlight:
          #expect(after.phase == machine.phase && effects == [.droppedLateAnswer(number)])
        default: #expect(machine.content == nil || after.content != nil)
        }
        explore(after, fetches + begun, left - 1)
      }
    }
    explore(Machine(), 0, 6)
    #expect(count == 74_759)
  }
}
