// Replaces glibc's allocator: a definition in the executable takes precedence over the library's for every caller in
// the process, including the Swift runtime. Each function counts, and forwards to glibc's internal function.

#include "AllocationCounter.h"

#if defined(__GLIBC__) || defined(__linux__)
#include <features.h>
#endif

#if defined(__GLIBC__)

#include <errno.h>
#include <malloc.h>
#include <stddef.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

// A count belongs to one thread, so that other threads never change it.
static _Thread_local bool is_counting;
static _Thread_local AllocationCount counted;

static inline void count_live(int64_t bytes) {
  counted.live_bytes += bytes;
  if (counted.live_bytes > counted.peak_bytes) counted.peak_bytes = counted.live_bytes;
}

static inline void *count(void *block) {
  if (block && is_counting) {
    counted.allocations++;
    count_live((int64_t)malloc_usable_size(block));
  }
  return block;
}

void *malloc(size_t size) { return count(__libc_malloc(size)); }

void *calloc(size_t number, size_t size) { return count(__libc_calloc(number, size)); }

void *realloc(void *old, size_t size) {
  if (!is_counting) return __libc_realloc(old, size);
  int64_t before = old ? (int64_t)malloc_usable_size(old) : 0;
  void *block = __libc_realloc(old, size);
  // A failed call keeps the old block. A call with size 0 frees it.
  if (block || size == 0) count_live(-before);
  return count(block);
}

void free(void *block) {
  if (block && is_counting) count_live(-(int64_t)malloc_usable_size(block));
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

void allocation_counter_start(void) {
  counted = (AllocationCount){0, 0, 0};
  is_counting = true;
}

AllocationCount allocation_counter_stop(void) {
  is_counting = false;
  return counted;
}

#else

bool allocation_counter_is_available(void) { return false; }

void allocation_counter_start(void) {}

AllocationCount allocation_counter_stop(void) { return (AllocationCount){0, 0, 0}; }

#endif
