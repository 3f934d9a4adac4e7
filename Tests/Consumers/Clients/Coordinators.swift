// A client of `Coordinators`.

import Coordinators
import Foundation

enum Place: Hashable, Codable, Sendable { case words, word(String), phrases }

func opened(_ word: String, in navigation: Navigation<Place>) throws -> [Command<Place>] {
  let words = Blueprint.stack([.screen(Place.words), .screen(.word(word))])
  let after = try navigation.applying(
    .show(.tabs([.tab("words", words), .tab("phrases", .stack([.screen(.phrases)]))])))
  return after.commands(from: navigation)
}

func restored(_ saved: Data) -> Navigation<Place>? {
  let restoration = Restoration<Place>(archive: saved)
  for loss in restoration.losses { print(loss) }
  return restoration.navigation
}

func followed(_ navigation: Navigation<Place>) throws -> String {
  var core = Synchronization(navigation)
  var shell = RecordingShell<Place>()
  if let batch = core.start(), let acknowledgement = try shell.perform(batch) {
    let outcome = core.acknowledge(acknowledgement)
    if outcome.didChangeNavigation { print(core.navigation) }
  }
  return shell.description
}
