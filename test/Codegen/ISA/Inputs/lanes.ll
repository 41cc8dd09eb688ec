; What vpdpbusd and vdpbf16ps of AVX-512 do.

define <16 x i32> @vpdpbusd(<16 x i32> %sums, <64 x i8> %a, <64 x i8> %b) {
  %unsigned = zext <64 x i8> %a to <64 x i32>
  %signed = sext <64 x i8> %b to <64 x i32>
  %products = mul <64 x i32> %unsigned, %signed
  %s0 = shufflevector <64 x i32> %products, <64 x i32> poison, <16 x i32> <i32 0, i32 4, i32 8, i32 12, i32 16, i32 20, i32 24, i32 28, i32 32, i32 36, i32 40, i32 44, i32 48, i32 52, i32 56, i32 60>
  %s1 = shufflevector <64 x i32> %products, <64 x i32> poison, <16 x i32> <i32 1, i32 5, i32 9, i32 13, i32 17, i32 21, i32 25, i32 29, i32 33, i32 37, i32 41, i32 45, i32 49, i32 53, i32 57, i32 61>
  %s2 = shufflevector <64 x i32> %products, <64 x i32> poison, <16 x i32> <i32 2, i32 6, i32 10, i32 14, i32 18, i32 22, i32 26, i32 30, i32 34, i32 38, i32 42, i32 46, i32 50, i32 54, i32 58, i32 62>
  %s3 = shufflevector <64 x i32> %products, <64 x i32> poison, <16 x i32> <i32 3, i32 7, i32 11, i32 15, i32 19, i32 23, i32 27, i32 31, i32 35, i32 39, i32 43, i32 47, i32 51, i32 55, i32 59, i32 63>
  %s4 = add <16 x i32> %sums, %s0
  %s5 = add <16 x i32> %s4, %s1
  %s6 = add <16 x i32> %s5, %s2
  %s7 = add <16 x i32> %s6, %s3
  ret <16 x i32> %s7
}

define <16 x float> @dpbf16ps(<16 x float> %sums, <32 x bfloat> %a, <32 x bfloat> %b) {
  %left = fpext <32 x bfloat> %a to <32 x float>
  %right = fpext <32 x bfloat> %b to <32 x float>
  %products = fmul <32 x float> %left, %right
  %s0 = shufflevector <32 x float> %products, <32 x float> poison, <16 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14, i32 16, i32 18, i32 20, i32 22, i32 24, i32 26, i32 28, i32 30>
  %s1 = shufflevector <32 x float> %products, <32 x float> poison, <16 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15, i32 17, i32 19, i32 21, i32 23, i32 25, i32 27, i32 29, i32 31>
  %s2 = fadd <16 x float> %sums, %s0
  %s3 = fadd <16 x float> %s2, %s1
  ret <16 x float> %s3
}
