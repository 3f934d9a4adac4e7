public import OrderTaking

/// The response of a scripted server to one PUT or GET.
///
/// Source: *Reasons to love functional programming*, `EtherTakingResult`.
public enum TakingReply: Hashable, Sendable {
  case accepted
  case processing
  /// Still processing, after a time.
  case longProcessing(Duration)
  case declined(String)
  case error(HTTPError)
  case longError(HTTPError, Duration)
  /// Any response, after a time.
  case long(TakingAnswer, Duration)
  case none

  var answer: (result: Result<TakingAnswer, HTTPError>, delay: Duration?)? {
    switch self {
    case .accepted: (.success(.accepted), nil)
    case .processing: (.success(.processing), nil)
    case .longProcessing(let delay): (.success(.processing), delay)
    case .declined(let reason): (.success(.declined(reason)), nil)
    case .error(let error): (.failure(error), nil)
    case .longError(let error, let delay): (.failure(error), delay)
    case .long(let answer, let delay): (.success(answer), delay)
    case .none: nil
    }
  }
}

/// The response of a scripted server to one request for details.
///
/// Source: *Reasons to love functional programming*, `AcceptedOrderDetailsResult`.
public enum DetailsReply<Details: Sendable>: Sendable {
  case details(Details)
  case longDetails(Details, Duration)
  case error(HTTPError)
  case longError(HTTPError, Duration)
  case none

  var answer: (result: Result<Details, HTTPError>, delay: Duration?)? {
    switch self {
    case .details(let details): (.success(details), nil)
    case .longDetails(let details, let delay): (.success(details), delay)
    case .error(let error): (.failure(error), nil)
    case .longError(let error, let delay): (.failure(error), delay)
    case .none: nil
    }
  }
}
