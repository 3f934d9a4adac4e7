// The part of libevent that Loopback uses: the loop and its timers, buffered sockets, listeners.

// First, since libevent's own configuration switches _GNU_SOURCE on: glibc would then define fd_set otherwise than the
// toolchain's Dispatch module saw it, and the compiler refuses two definitions of one type.
#include <sys/types.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/listener.h>
