// The parts of libcurl and zlib that FuturesNetworkingCurl uses.

// First, since otherwise glibc may define fd_set otherwise than the toolchain's Dispatch module saw it.
#include <sys/types.h>

// The checks of types need constant options.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <netdb.h>
#include <stdlib.h>
#include <zlib.h>

// Swift cannot call functions with a variable number of arguments. So there is a function for each type of argument.

static inline CURLcode curl_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode curl_set_size(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode curl_set_text(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode curl_set_pointer(CURL *easy, CURLoption option, void *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode curl_set_function(CURL *easy, CURLoption option, curl_write_callback value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode curl_set_open_socket(CURL *easy, curl_opensocket_callback value) {
  return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, value);
}

static inline CURLcode curl_set_before_request(CURL *easy, curl_prereq_callback value) {
  return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, value);
}

static inline CURLcode curl_get_long(CURL *easy, CURLINFO info, long *value) {
  return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode curl_get_socket(CURL *easy, CURLINFO info, curl_socket_t *value) {
  return curl_easy_getinfo(easy, info, value);
}

static inline CURLMcode curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

// Writes the numeric host of an address, and returns its port, or -1.
static inline int curl_numeric_address(const struct curl_sockaddr *address, char *host, unsigned size) {
  char port[8];
  int status = getnameinfo(
    &address->addr, address->addrlen, host, size, port, sizeof port, NI_NUMERICHOST | NI_NUMERICSERV);
  return status == 0 ? atoi(port) : -1;
}
