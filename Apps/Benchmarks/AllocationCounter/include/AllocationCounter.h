#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

/// The totals of the process while counting is on.
typedef struct {
  /// The number of allocated blocks. Each `realloc` counts as one more.
  int64_t allocations;
  /// Bytes allocated minus bytes freed, in the allocator's own sizes. Negative if older blocks were freed.
  int64_t live_bytes;
  /// The maximum of `live_bytes` since the peak was reset.
  int64_t peak_bytes;
} AllocationCount;

/// Returns whether this system supports counting: true with glibc.
bool allocation_counter_is_available(void);

/// Starts counting on all threads. Counting is off at first, because it would slow down time measurements.
void allocation_counter_begin(void);

/// Balances one `allocation_counter_begin`. Counting stops after the last of them.
void allocation_counter_end(void);

/// Sets the peak to the current `live_bytes`. The process has a single peak: measure one at a time.
void allocation_counter_reset_peak(void);

/// Returns the current totals.
AllocationCount allocation_counter_read(void);

#endif
