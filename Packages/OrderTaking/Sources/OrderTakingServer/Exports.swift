// The values of `OrderTakingDispatch` are part of the interface of the server.
@_exported public import OrderTakingDispatch
