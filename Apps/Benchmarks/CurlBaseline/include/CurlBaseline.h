#ifndef CURL_BASELINE_H
#define CURL_BASELINE_H

/// Requests a URL with GET, with a number of requests in flight, on one thread and over reused connections.
///
/// It keeps the header and the body of each response until its end.
///
/// Returns the number of responses with status 200.
int curl_baseline_get(const char *url, int count, int in_flight);

#endif
