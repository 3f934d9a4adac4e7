@_exported public import OrderTaking
@_exported public import OrderTakingDispatch
