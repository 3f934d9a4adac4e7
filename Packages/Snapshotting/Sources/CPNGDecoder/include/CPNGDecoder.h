#ifndef CPNG_DECODER_H
#define CPNG_DECODER_H

#include <stddef.h>
#include <stdint.h>

/// The size of a buffer for an error message.
#define CPNG_MESSAGE_SIZE 128

/// Decodes a PNG file to rows of red, green, blue and alpha with eight bits each.
///
/// Samples of sixteen bits are rounded. Colours are not converted, and alpha is not premultiplied. The function is thread-safe.
///
/// - Parameters:
///   - file: The bytes of the file, with no more than `count` bytes.
///   - width: The expected width.
///   - height: The expected height.
///   - pixels: The buffer for `width * height * 4` bytes.
///   - message: The buffer for an error message of at most `CPNG_MESSAGE_SIZE` bytes.
/// - Returns: 1, or 0 after an error. The pixels are undefined then.
int cpng_decode(
    const uint8_t *file, size_t count, uint32_t width, uint32_t height, uint8_t *pixels, char *message);

#endif
