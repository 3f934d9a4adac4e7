// The part of libpq that OrderTakingPostgres uses.

// First, since otherwise glibc may define fd_set otherwise than the toolchain's Dispatch module saw it.
#include <sys/types.h>

#include <libpq-fe.h>

// Swift cannot import the codes of error fields, which are characters.

static const int pg_diag_sqlstate = PG_DIAG_SQLSTATE;
static const int pg_diag_severity = PG_DIAG_SEVERITY_NONLOCALIZED;
static const int pg_diag_message = PG_DIAG_MESSAGE_PRIMARY;
