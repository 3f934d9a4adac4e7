// A client of `TerminalSnapshotting`: screens as text and as images.

import ImageSnapshotting
import Snapshotting
import Terminal
import TerminalSnapshotting
import WebSnapshotting

struct App {
  var screen: Screen
}

let text = Snapshotting<Screen, String>.text.pullback { (app: App) in app.screen }
let picture = Snapshotting<Screen, Image>.image(theme: .light).pullback { (app: App) in app.screen }
let page = WebPage(Screen(columns: 80, rows: 24), theme: ScreenTheme(foreground: "#000", background: "#fff", named: []))
