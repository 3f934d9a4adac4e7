#include "CPNG.h"

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

// libpng reports an error with longjmp, which must not cross Swift's frames. Here it crosses C frames only.

#define ENVIRONMENT "Environment"

struct input {
  const uint8_t *bytes;
  size_t count;
  int is_truncated;
};

struct output {
  uint8_t *bytes;
  size_t count;
  size_t capacity;
};

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

static void read_bytes(png_structp png, png_bytep target, size_t count) {
  struct input *input = png_get_io_ptr(png);
  if (count > input->count) {
    input->is_truncated = 1;
    png_error(png, "the file is too short");
  }
  memcpy(target, input->bytes, count);
  input->bytes += count;
  input->count -= count;
}

static void read_meaning(png_structp png, png_infop info, struct cpng_image *image) {
  png_uint_32 x = 0, y = 0;
  int unit = 0;
  if (png_get_pHYs(png, info, &x, &y, &unit) && x == y && unit == PNG_RESOLUTION_METER) image->density = x;
  png_textp texts = NULL;
  int count = png_get_text(png, info, &texts, NULL);
  for (int index = 0; index < count && image->environment == NULL; index += 1) {
    if (strcmp(texts[index].key, ENVIRONMENT) == 0 && texts[index].text) image->environment = strdup(texts[index].text);
  }
  png_charp name = NULL;
  png_bytep profile = NULL;
  png_uint_32 length = 0;
  int method = 0;
  if (png_get_iCCP(png, info, &name, &method, &profile, &length)) {
    strncpy(image->profile, name, sizeof image->profile - 1);
  }
}

enum cpng_outcome cpng_decode(const uint8_t *file, size_t count, struct cpng_image *image, char *message) {
  struct input input = {file, count, 0};
  png_infop info = NULL;
  png_bytep *volatile rows = malloc(image->height * sizeof(png_bytep));
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, message, fail, ignore_warning);
  message[0] = 0;
  image->density = 0;
  image->environment = NULL;
  memset(image->profile, 0, sizeof image->profile);
  if (png == NULL || rows == NULL || (info = png_create_info_struct(png)) == NULL) {
    strcpy(message, "out of memory");
    png_destroy_read_struct(&png, &info, NULL);
    free((void *)rows);
    return CPNG_DAMAGED;
  }
  if (setjmp(png_jmpbuf(png))) {
    png_destroy_read_struct(&png, &info, NULL);
    free((void *)rows);
    free(image->environment);
    image->environment = NULL;
    return input.is_truncated ? CPNG_TRUNCATED : CPNG_DAMAGED;
  }
  png_set_read_fn(png, &input, read_bytes);
  // Text and profiles can claim any size.
  png_set_user_limits(png, image->width, image->height);
  png_set_chunk_malloc_max(png, 1 << 20);
  png_set_chunk_cache_max(png, 64);
  png_read_info(png, info);
  if (png_get_image_width(png, info) != image->width || png_get_image_height(png, info) != image->height) {
    png_error(png, "the size changed");
  }
  png_set_alpha_mode(png, PNG_ALPHA_PNG, PNG_DEFAULT_sRGB);
  png_set_expand(png);
  png_set_scale_16(png);
  png_set_gray_to_rgb(png);
  png_set_add_alpha(png, 0xFF, PNG_FILLER_AFTER);
  png_set_interlace_handling(png);
  png_read_update_info(png, info);
  if (png_get_rowbytes(png, info) != (size_t)image->width * 4) png_error(png, "the pixel format is not supported");
  for (uint32_t y = 0; y < image->height; y += 1) rows[y] = image->pixels + (size_t)y * image->width * 4;
  png_read_image(png, rows);
  png_read_end(png, info);
  read_meaning(png, info, image);
  png_destroy_read_struct(&png, &info, NULL);
  free((void *)rows);
  return CPNG_DONE;
}

static void write_bytes(png_structp png, png_bytep source, size_t count) {
  struct output *output = png_get_io_ptr(png);
  if (count > output->capacity - output->count) {
    size_t capacity = (output->count + count) * 2;
    uint8_t *bytes = realloc(output->bytes, capacity);
    if (bytes == NULL) png_error(png, "out of memory");
    output->bytes = bytes;
    output->capacity = capacity;
  }
  memcpy(output->bytes + output->count, source, count);
  output->count += count;
}

static int is_opaque(const struct cpng_image *image) {
  size_t count = (size_t)image->width * image->height;
  for (size_t index = 0; index < count; index += 1) {
    if (image->pixels[index * 4 + 3] != 0xFF) return 0;
  }
  return 1;
}

uint8_t *cpng_encode(const struct cpng_image *image, size_t *count, char *message) {
  int without_alpha = is_opaque(image);
  struct output output = {NULL, 0, 0};
  png_infop info = NULL;
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, message, fail, ignore_warning);
  message[0] = 0;
  if (png == NULL || (info = png_create_info_struct(png)) == NULL) {
    strcpy(message, "out of memory");
    png_destroy_write_struct(&png, &info);
    return NULL;
  }
  if (setjmp(png_jmpbuf(png))) {
    png_destroy_write_struct(&png, &info);
    free(output.bytes);
    return NULL;
  }
  png_set_write_fn(png, &output, write_bytes, NULL);
  png_set_user_limits(png, image->width, image->height);
  png_set_IHDR(
      png, info, image->width, image->height, 8, without_alpha ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_RGB_ALPHA,
      PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
  if (image->density > 0) png_set_pHYs(png, info, image->density, image->density, PNG_RESOLUTION_METER);
  if (image->environment) {
    png_text text = {.compression = PNG_ITXT_COMPRESSION_NONE, .key = ENVIRONMENT, .text = image->environment};
    png_set_text(png, info, &text, 1);
  }
  png_set_compression_level(png, 3);
  png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
  png_write_info(png, info);
  if (without_alpha) png_set_filler(png, 0, PNG_FILLER_AFTER);
  for (uint32_t y = 0; y < image->height; y += 1) png_write_row(png, image->pixels + (size_t)y * image->width * 4);
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  *count = output.count;
  return output.bytes;
}
