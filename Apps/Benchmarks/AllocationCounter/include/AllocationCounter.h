#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

/// The allocations of one thread.
typedef struct {
  /// The number of allocated blocks. Each `realloc` counts as one more.
  int64_t allocations;
  /// Bytes allocated minus bytes freed, in the allocator's own sizes. Negative if older blocks were freed.
  int64_t live_bytes;
  /// The maximum of `live_bytes`.
  int64_t peak_bytes;
} AllocationCount;

/// Returns whether this system supports counting: true with glibc.
bool allocation_counter_is_available(void);

/// Starts to count on the current thread, from zero.
void allocation_counter_start(void);

/// Stops counting on the current thread and returns its count.
AllocationCount allocation_counter_stop(void);

#endif
