#include "CurlBaseline.h"

#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  char *bytes;
  size_t count;
} Bytes;

typedef struct {
  Bytes head, body;
} Response;

static size_t append(char *bytes, size_t size, size_t count, void *context) {
  Bytes *received = context;
  size_t total = size * count;
  char *grown = realloc(received->bytes, received->count + total);
  if (!grown) return 0;
  received->bytes = grown;
  memcpy(grown + received->count, bytes, total);
  received->count += total;
  return total;
}

static void release(Bytes *bytes) {
  free(bytes->bytes);
  *bytes = (Bytes){NULL, 0};
}

// Sets everything anew, as for requests that differ.
static void start(CURLM *multi, CURL *easy, const char *url, Response *response) {
  curl_easy_reset(easy);
  curl_easy_setopt(easy, CURLOPT_URL, url);
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");
  curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, append);
  curl_easy_setopt(easy, CURLOPT_HEADERDATA, &response->head);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, append);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, &response->body);
  curl_easy_setopt(easy, CURLOPT_PRIVATE, (char *)response);
  curl_multi_add_handle(multi, easy);
}

int curl_baseline_get(const char *url, int count, int in_flight) {
  int successes = 0, started = 0, ended = 0;
  CURLM *multi = curl_multi_init();
  Response *responses = calloc((size_t)in_flight, sizeof(Response));
  CURL **handles = calloc((size_t)in_flight, sizeof(CURL *));
  for (int index = 0; index < in_flight && started < count; index++, started++) {
    handles[index] = curl_easy_init();
    start(multi, handles[index], url, &responses[index]);
  }
  while (ended < count) {
    int running = 0, left = 0;
    curl_multi_perform(multi, &running);
    CURLMsg *message;
    int progressed = 0;
    while ((message = curl_multi_info_read(multi, &left))) {
      if (message->msg != CURLMSG_DONE) continue;
      CURL *easy = message->easy_handle;
      long status = 0;
      char *context = NULL;
      if (message->data.result == CURLE_OK) curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
      curl_easy_getinfo(easy, CURLINFO_PRIVATE, &context);
      Response *response = (Response *)(void *)context;
      if (status == 200 && response->head.count > 0 && response->body.count > 0) successes++;
      release(&response->head);
      release(&response->body);
      ended++;
      progressed = 1;
      curl_multi_remove_handle(multi, easy);
      if (started < count) {
        started++;
        start(multi, easy, url, response);
      }
    }
    if (!progressed && ended < count) curl_multi_poll(multi, NULL, 0, 1000, NULL);
  }
  for (int index = 0; index < in_flight; index++) {
    if (handles[index]) curl_easy_cleanup(handles[index]);
  }
  curl_multi_cleanup(multi);
  free(handles);
  free(responses);
  return successes;
}
