// Softmax of each row, as one writes it in C: what -ffast-math and a vector
// libm make of it is a contender of op-bench. ROWS and COLUMNS are given.
#include <math.h>

void f(const float *restrict x, float *restrict y) {
#pragma omp parallel for
  for (int r = 0; r < ROWS; ++r) {
    const float *from = x + (long)r * COLUMNS;
    float *to = y + (long)r * COLUMNS;
    float largest = from[0], sum = 0;
    for (int i = 1; i < COLUMNS; ++i)
      largest = from[i] > largest ? from[i] : largest;
    for (int i = 0; i < COLUMNS; ++i) {
      to[i] = expf(from[i] - largest);
      sum += to[i];
    }
    float scale = 1 / sum;
    for (int i = 0; i < COLUMNS; ++i)
      to[i] *= scale;
  }
}
