#ifndef CPNG_H
#define CPNG_H

#include <stddef.h>
#include <stdint.h>

/// The size of a buffer for an error message.
#define CPNG_MESSAGE_SIZE 128

/// The outcome of a call.
enum cpng_outcome { CPNG_DONE = 0, CPNG_DAMAGED = 1, CPNG_TRUNCATED = 2 };

/// An image, as the calls read and write it.
struct cpng_image {
  uint32_t width;
  uint32_t height;
  /// The buffer of `width * height * 4` bytes: red, green, blue and alpha of each pixel, with eight bits each in sRGB.
  uint8_t *pixels;
  /// The pixels in a metre; 0 without a density.
  uint32_t density;
  /// The text with the keyword `Environment` in UTF-8; NULL without one. The caller frees it after reading.
  char *environment;
  /// The name of an embedded colour profile; empty without one. Only for reading.
  char profile[80];
};

/// Decodes a PNG file of any kind.
///
/// libpng converts a gamma that differs from sRGB's, and rounds samples of sixteen bits. Alpha is not premultiplied. An embedded profile is
/// named but not applied. The function is thread-safe.
///
/// - Parameters:
///   - file: The bytes of the file.
///   - count: The number of bytes.
///   - image: The expected size and the buffer for the pixels, which are undefined after an error. The function sets the rest.
///   - message: The buffer for an error message of at most `CPNG_MESSAGE_SIZE` bytes.
enum cpng_outcome cpng_decode(const uint8_t *file, size_t count, struct cpng_image *image, char *message);

/// Encodes an image as a PNG file.
///
/// The same image gives the same bytes. The alpha of an opaque image is left out. The function is thread-safe.
///
/// - Parameters:
///   - image: The image.
///   - count: Set to the number of bytes.
///   - message: The buffer for an error message of at most `CPNG_MESSAGE_SIZE` bytes.
/// - Returns: The bytes of the file, which the caller frees; NULL after an error.
uint8_t *cpng_encode(const struct cpng_image *image, size_t *count, char *message);

#endif
