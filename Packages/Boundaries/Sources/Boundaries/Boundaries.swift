@_exported public import Coordinators
@_exported public import Futures
@_exported public import FuturesNetworking
@_exported public import FuturesParallel
@_exported public import OrderTaking
@_exported public import Parallel
@_exported public import Snapshotting
