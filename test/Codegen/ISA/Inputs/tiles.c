// What the instructions of AMX do, on tiles in memory: 16 rows of 16 words.
// `rows`, `bytes` (of a row of sums) and `steps` (bytes of a row of the
// left-hand side) are the operands of LLVM's intrinsics.

typedef unsigned char Tile[16][64];
typedef float Floats[16][16];
typedef int Ints[16][16];

void do_tileload(int rows, int bytes, const char *from, long stride, Tile to) {
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 64; ++j)
      to[i][j] = i < rows && j < bytes ? from[i * stride + j] : 0;
}

void do_tilestore(int rows, int bytes, char *to, long stride, Tile from) {
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < bytes; ++j)
      to[i * stride + j] = from[i][j];
}

static float widenBFloat(const unsigned char *at) {
  union {
    unsigned bits;
    float value;
  } both = {(unsigned)at[0] << 16 | (unsigned)at[1] << 24};
  return both.value;
}

void do_tdpbf16ps(int rows, int bytes, int steps, Floats c, Tile a, Tile b) {
  for (int m = 0; m < rows; ++m)
    for (int k = 0; k < steps; k += 2)
      for (int n = 0; n < bytes / 4; ++n)
        c[m][n] += widenBFloat(&a[m][k]) *
                   widenBFloat(&b[k / 4][4 * n + k % 4]);
}

void do_tdpbssd(int rows, int bytes, int steps, Ints c, Tile a, Tile b) {
  for (int m = 0; m < rows; ++m)
    for (int k = 0; k < steps; ++k)
      for (int n = 0; n < bytes / 4; ++n)
        c[m][n] += (signed char)a[m][k] *
                   (signed char)b[k / 4][4 * n + k % 4];
}

void do_tdpbusd(int rows, int bytes, int steps, Ints c, Tile a, Tile b) {
  for (int m = 0; m < rows; ++m)
    for (int k = 0; k < steps; ++k)
      for (int n = 0; n < bytes / 4; ++n)
        c[m][n] += a[m][k] * (signed char)b[k / 4][4 * n + k % 4];
}
