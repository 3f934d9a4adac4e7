#include "CPNGDecoder.h"

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

// libpng reports an error with longjmp, which must not cross Swift's frames. Here it crosses C frames only.

struct input {
  const uint8_t *bytes;
  size_t count;
};

static void read_bytes(png_structp png, png_bytep target, size_t count) {
  struct input *input = png_get_io_ptr(png);
  if (count > input->count) png_error(png, "Read Error");
  memcpy(target, input->bytes, count);
  input->bytes += count;
  input->count -= count;
}

static void fail(png_structp png, png_const_charp text) {
  char *message = png_get_error_ptr(png);
  strncpy(message, text, CPNG_MESSAGE_SIZE - 1);
  message[CPNG_MESSAGE_SIZE - 1] = 0;
  longjmp(png_jmpbuf(png), 1);
}

static void ignore_warning(png_structp png, png_const_charp text) {
  (void)png;
  (void)text;
}

int cpng_decode(
    const uint8_t *file, size_t count, uint32_t width, uint32_t height, uint8_t *pixels, char *message) {
  message[0] = 0;
  struct input input = {file, count};
  png_infop info = NULL;
  png_bytep *volatile rows = malloc(height * sizeof(png_bytep));
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, message, fail, ignore_warning);
  if (png == NULL || rows == NULL || (info = png_create_info_struct(png)) == NULL) {
    strcpy(message, "out of memory");
    png_destroy_read_struct(&png, &info, NULL);
    free((void *)rows);
    return 0;
  }
  if (setjmp(png_jmpbuf(png))) {
    png_destroy_read_struct(&png, &info, NULL);
    free((void *)rows);
    return 0;
  }
  png_set_read_fn(png, &input, read_bytes);
  png_set_user_limits(png, width, height);
  png_read_info(png, info);
  if (png_get_image_width(png, info) != width || png_get_image_height(png, info) != height) {
    png_error(png, "the size changed");
  }
  png_set_expand(png);
  png_set_scale_16(png);
  png_set_gray_to_rgb(png);
  png_set_add_alpha(png, 0xFF, PNG_FILLER_AFTER);
  png_set_interlace_handling(png);
  png_read_update_info(png, info);
  if (png_get_rowbytes(png, info) != (size_t)width * 4) png_error(png, "the pixel format is not supported");
  for (uint32_t y = 0; y < height; y += 1) rows[y] = pixels + (size_t)y * width * 4;
  png_read_image(png, rows);
  png_read_end(png, NULL);
  png_destroy_read_struct(&png, &info, NULL);
  free((void *)rows);
  return 1;
}
