// Replaces glibc's allocator: a definition in the executable takes precedence over the library's for every caller in
// the process, including the Swift runtime. Each function counts, and forwards to glibc's internal function.

#include "AllocationCounter.h"

#if defined(__GLIBC__) || defined(__linux__)
#include <features.h>
#endif

#if defined(__GLIBC__)

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

// Relaxed ordering is enough: the totals are read after the counted work has ended.
static atomic_int counting;
static _Atomic int64_t allocations;
static _Atomic int64_t live_bytes;
static _Atomic int64_t peak_bytes;

static inline bool is_counting(void) { return atomic_load_explicit(&counting, memory_order_relaxed) > 0; }

static inline void count_live(int64_t bytes) {
  int64_t now = atomic_fetch_add_explicit(&live_bytes, bytes, memory_order_relaxed) + bytes;
  int64_t peak = atomic_load_explicit(&peak_bytes, memory_order_relaxed);
  while (now > peak &&
         !atomic_compare_exchange_weak_explicit(&peak_bytes, &peak, now, memory_order_relaxed, memory_order_relaxed)) {
  }
}

static inline void *count(void *block) {
  if (block && is_counting()) {
    atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
    count_live((int64_t)malloc_usable_size(block));
  }
  return block;
}

void *malloc(size_t size) { return count(__libc_malloc(size)); }

void *calloc(size_t number, size_t size) { return count(__libc_calloc(number, size)); }

void *realloc(void *old, size_t size) {
  if (!is_counting()) return __libc_realloc(old, size);
  int64_t before = old ? (int64_t)malloc_usable_size(old) : 0;
  void *block = __libc_realloc(old, size);
  // A failed call keeps the old block. A call with size 0 frees it.
  if (block || size == 0) count_live(-before);
  return count(block);
}

void free(void *block) {
  if (block && is_counting()) count_live(-(int64_t)malloc_usable_size(block));
  __libc_free(block);
}

void *memalign(size_t alignment, size_t size) { return count(__libc_memalign(alignment, size)); }

void *aligned_alloc(size_t alignment, size_t size) { return count(__libc_memalign(alignment, size)); }

int posix_memalign(void **result, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
  void *block = count(__libc_memalign(alignment, size));
  if (!block) return ENOMEM;
  *result = block;
  return 0;
}

bool allocation_counter_is_available(void) { return true; }

void allocation_counter_begin(void) { atomic_fetch_add_explicit(&counting, 1, memory_order_relaxed); }

void allocation_counter_end(void) { atomic_fetch_sub_explicit(&counting, 1, memory_order_relaxed); }

void allocation_counter_reset_peak(void) {
  atomic_store_explicit(&peak_bytes, atomic_load_explicit(&live_bytes, memory_order_relaxed), memory_order_relaxed);
}

AllocationCount allocation_counter_read(void) {
  AllocationCount now = {
      atomic_load_explicit(&allocations, memory_order_relaxed),
      atomic_load_explicit(&live_bytes, memory_order_relaxed),
      atomic_load_explicit(&peak_bytes, memory_order_relaxed),
  };
  return now;
}

#else

bool allocation_counter_is_available(void) { return false; }

void allocation_counter_begin(void) {}

void allocation_counter_end(void) {}

void allocation_counter_reset_peak(void) {}

AllocationCount allocation_counter_read(void) {
  AllocationCount none = {0, 0, 0};
  return none;
}

#endif
