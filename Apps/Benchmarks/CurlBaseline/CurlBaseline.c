#include "CurlBaseline.h"

#include <curl/curl.h>
#include <stdlib.h>

typedef struct {
  char *bytes;
  size_t count;
} Body;

static size_t append(char *bytes, size_t size, size_t count, void *context) {
  Body *body = context;
  size_t total = size * count;
  char *grown = realloc(body->bytes, body->count + total);
  if (!grown) return 0;
  body->bytes = grown;
  for (size_t index = 0; index < total; index++) body->bytes[body->count + index] = bytes[index];
  body->count += total;
  return total;
}

int curl_baseline_get(const char *url, int count, int in_flight) {
  int successes = 0, started = 0, ended = 0;
  CURLM *multi = curl_multi_init();
  Body *bodies = calloc((size_t)in_flight, sizeof(Body));
  CURL **handles = calloc((size_t)in_flight, sizeof(CURL *));
  for (int index = 0; index < in_flight && started < count; index++, started++) {
    handles[index] = curl_easy_init();
    curl_easy_setopt(handles[index], CURLOPT_URL, url);
    curl_easy_setopt(handles[index], CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(handles[index], CURLOPT_WRITEFUNCTION, append);
    curl_easy_setopt(handles[index], CURLOPT_WRITEDATA, &bodies[index]);
    curl_easy_setopt(handles[index], CURLOPT_PRIVATE, (char *)&bodies[index]);
    curl_multi_add_handle(multi, handles[index]);
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
      Body *body = (Body *)(void *)context;
      if (status == 200 && body->count > 0) successes++;
      free(body->bytes);
      body->bytes = NULL;
      body->count = 0;
      ended++;
      progressed = 1;
      curl_multi_remove_handle(multi, easy);
      if (started < count) {
        started++;
        curl_multi_add_handle(multi, easy);
      }
    }
    if (!progressed && ended < count) curl_multi_poll(multi, NULL, 0, 1000, NULL);
  }
  for (int index = 0; index < in_flight; index++) {
    if (handles[index]) curl_easy_cleanup(handles[index]);
  }
  curl_multi_cleanup(multi);
  free(handles);
  free(bodies);
  return successes;
}
