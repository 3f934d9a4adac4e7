#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

/// What the process has asked of the allocator while counting was on.
typedef struct {
  /// How many blocks were allocated. Growing a block by `realloc` counts as one more.
  int64_t allocations;
  /// Bytes allocated minus bytes freed, in the allocator's own sizes. Below zero when older blocks were freed.
  int64_t live_bytes;
  /// The most that `live_bytes` has been since the peak was reset.
  int64_t peak_bytes;
} AllocationCount;

/// Whether this system's allocator can be counted: true on Linux with glibc.
bool allocation_counter_is_available(void);

/// Starts counting, on all threads. Not so at first, so that timings do not pay for it.
void allocation_counter_begin(void);

/// Takes back one `allocation_counter_begin`: counting stops when each has been taken back.
void allocation_counter_end(void);

/// Makes the peak what is allocated now. The peak is the process's: only one at a time can look for it.
void allocation_counter_reset_peak(void);

/// The totals so far.
AllocationCount allocation_counter_read(void);

#endif
