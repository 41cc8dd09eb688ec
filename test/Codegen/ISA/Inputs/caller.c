// Compares a kernel f, C = A B, with a loop; exit status 0 if all elements agree.
// Needs no C library, so a compiler and a linker for another machine are enough.
//
// M, N and K are the extents; A, B and C the element types, or BFLOAT is defined
// for bfloat16 with sums of float. RANGE is what makes an operand of a number
// from 0 to 255, such as `- 128` or `% 16 - 8`: sums must be exact.
//
// Products inside of other loops define OUTER: C is OUTER products of M x N, each
// the sum of TAPS products. A_AT(o, m, t, k) and B_AT(o, t, k, n) say where their
// elements are among the A_SIZE and B_SIZE of A and B.

typedef unsigned long size_t;
#ifdef BFLOAT
typedef unsigned short Narrow;
static float widen(Narrow x) {
  union {
    unsigned bits;
    float value;
  } both = {(unsigned)x << 16};
  return both.value;
}
static Narrow narrow(int x) {
  union {
    float value;
    unsigned bits;
  } both = {(float)x};
  return both.bits >> 16;
}
typedef Narrow A;
typedef Narrow B;
typedef float C;
#else
#define widen(x) ((C)(x))
#define narrow(x) (x)
#endif

void f(const A *a, const B *b, C *c);

static char heap[1 << 24] __attribute__((aligned(64)));
static size_t used;
void *aligned_alloc(size_t alignment, size_t size) {
  used = (used + 63) / 64 * 64;
  void *result = heap + used;
  used += size;
  return result;
}
void *malloc(size_t size) { return aligned_alloc(64, size); }
void free(void *pointer) {}
void *memset(void *to, int value, size_t size) {
  for (volatile char *at = to; size--; ++at)
    *at = value;
  return to;
}
void *memcpy(void *to, const void *from, size_t size) {
  const char *source = from;
  for (volatile char *at = to; size--; ++at)
    *at = *source++;
  return to;
}

#ifndef OUTER
#define OUTER 1
#define TAPS 1
#define A_SIZE (M * K)
#define B_SIZE (K * N)
#define A_AT(o, m, t, k) ((m) * K + (k))
#define B_AT(o, t, k, n) ((k) * N + (n))
#endif

static A a[A_SIZE];
static B b[B_SIZE];
static C c[OUTER * M * N];

static C sum(int o, int i, int j) {
  C result = 0;
  for (int t = 0; t < TAPS; ++t)
    for (int k = 0; k < K; ++k)
      result += widen(a[A_AT(o, i, t, k)]) * widen(b[B_AT(o, t, k, j)]);
  return result;
}

static int isRight(void) {
  unsigned random = 1;
  for (int i = 0; i < A_SIZE; ++i)
    a[i] = narrow((int)((random = random * 1664525u + 1013904223u) >> 24) RANGE);
  for (int i = 0; i < B_SIZE; ++i)
    b[i] = narrow((int)((random = random * 1664525u + 1013904223u) >> 24) RANGE);
  f(a, b, c);
  for (int o = 0; o < OUTER; ++o)
    for (int i = 0; i < M; ++i)
      for (int j = 0; j < N; ++j)
        if (sum(o, i, j) != c[(o * M + i) * N + j])
          return 0;
  return 1;
}

#ifdef __x86_64__
__attribute__((force_align_arg_pointer))
#endif
void _start(void) {
  long status = isRight() ? 0 : 1;
#ifdef __aarch64__
  register long number __asm__("x8") = 93;
  register long first __asm__("x0") = status;
  __asm__ volatile("svc 0" : : "r"(number), "r"(first));
#else
  __asm__ volatile("syscall" : : "a"(60L), "D"(status));
#endif
  for (;;) {
  }
}
