; Tiles as vectors, for Inputs/tiles.c.

define <256 x i32> @tilezero(i16 %rows, i16 %bytes) {
  ret <256 x i32> zeroinitializer
}

define <256 x i32> @tileload(i16 %rows, i16 %bytes, ptr %from, i64 %stride) {
  %tile = alloca <256 x i32>, align 64
  %r = zext i16 %rows to i32
  %b = zext i16 %bytes to i32
  call void @do_tileload(i32 %r, i32 %b, ptr %from, i64 %stride, ptr %tile)
  %result = load <256 x i32>, ptr %tile, align 64
  ret <256 x i32> %result
}
declare void @do_tileload(i32, i32, ptr, i64, ptr)

define void @tilestore(i16 %rows, i16 %bytes, ptr %to, i64 %stride, <256 x i32> %value) {
  %tile = alloca <256 x i32>, align 64
  store <256 x i32> %value, ptr %tile, align 64
  %r = zext i16 %rows to i32
  %b = zext i16 %bytes to i32
  call void @do_tilestore(i32 %r, i32 %b, ptr %to, i64 %stride, ptr %tile)
  ret void
}
declare void @do_tilestore(i32, i32, ptr, i64, ptr)

define <256 x i32> @tdp(i16 %rows, i16 %bytes, i16 %steps, <256 x i32> %sums, <256 x i32> %lhs, <256 x i32> %rhs) {
  %c = alloca <256 x i32>, align 64
  %a = alloca <256 x i32>, align 64
  %d = alloca <256 x i32>, align 64
  store <256 x i32> %sums, ptr %c, align 64
  store <256 x i32> %lhs, ptr %a, align 64
  store <256 x i32> %rhs, ptr %d, align 64
  %r = zext i16 %rows to i32
  %b = zext i16 %bytes to i32
  %s = zext i16 %steps to i32
  call void @do_tdp(i32 %r, i32 %b, i32 %s, ptr %c, ptr %a, ptr %d)
  %result = load <256 x i32>, ptr %c, align 64
  ret <256 x i32> %result
}
declare void @do_tdp(i32, i32, i32, ptr, ptr, ptr)
