// The umbrella: what an app links, in one import. It needs no system package, and brings no test library.

@_exported public import Coordinators
@_exported public import Futures
@_exported public import FuturesNetworking
@_exported public import FuturesParallel
@_exported public import OrderTaking
@_exported public import Parallel
@_exported public import Snapshotting
