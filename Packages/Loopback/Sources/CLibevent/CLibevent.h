// The part of libevent that Loopback uses: the loop and its timers, buffered sockets, listeners. With OpenSSL for TLS.

// First, since libevent's own configuration switches _GNU_SOURCE on: glibc would then define fd_set otherwise than the
// toolchain's Dispatch module saw it, and the compiler refuses two definitions of one type.
#include <sys/types.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/bufferevent_ssl.h>
#include <event2/event.h>
#include <event2/listener.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

// These options are macros that Swift does not import.

// Sets the options of a server: TLS 1.2 or 1.3, no renegotiation, and no resumption, so that each connection has its
// own handshake and verifies its client.
static inline void loopback_tls_set_server_options(SSL_CTX *context) {
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_TICKET);
  SSL_CTX_set_num_tickets(context, 0);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
}
