// Layer norm of each row, as one writes it in C; see softmax.c.
#include <math.h>

void f(const float *restrict x, const float *restrict scale,
       const float *restrict shift, float *restrict y) {
#pragma omp parallel for
  for (int r = 0; r < ROWS; ++r) {
    const float *from = x + (long)r * COLUMNS;
    float *to = y + (long)r * COLUMNS;
    float sum = 0, squares = 0;
    for (int i = 0; i < COLUMNS; ++i)
      sum += from[i];
    float mean = sum / COLUMNS;
    for (int i = 0; i < COLUMNS; ++i)
      squares += (from[i] - mean) * (from[i] - mean);
    float factor = 1 / sqrtf(squares / COLUMNS + 1e-5f);
    for (int i = 0; i < COLUMNS; ++i)
      to[i] = (from[i] - mean) * factor * scale[i] + shift[i];
  }
}
