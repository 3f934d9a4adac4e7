// A client of `SnapshotStore`: the module has no public symbols, and links no test library.

import SnapshotStore
