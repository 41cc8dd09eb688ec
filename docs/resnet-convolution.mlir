// ResNet-50's last convolution of 3 x 3 with its bias and relu: batch 1, 7 x 7
// pixels, 512 channels in and out, stride 1, padding 1. docs/GPU.md makes
// kernels of it.
!image = tensor<1x512x7x7xf32>
!padded = tensor<1x512x9x9xf32>
!weights = tensor<512x512x3x3xf32>
!bias = tensor<1x512x1x1xf32>

func.func @conv2d_layer(%data: !image, %kernel: !weights, %bias: !bias) -> !image {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %data low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%n: index, %c: index, %h: index, %w: index):
    tensor.yield %zero : f32
  } : !image to !padded
  %empty = tensor.empty() : !image
  %init = linalg.fill ins(%zero : f32) outs(%empty : !image) -> !image
  %conv = linalg.conv_2d_nchw_fchw ins(%padded, %kernel : !padded, !weights) outs(%init : !image) -> !image
  %out = linalg.generic {
      indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>,
                       affine_map<(n, c, h, w) -> (n, c, 0, 0)>,
                       affine_map<(n, c, h, w) -> (n, c, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%conv, %bias : !image, !bias) outs(%empty : !image) {
  ^bb0(%x: f32, %b: f32, %o: f32):
    %sum = arith.addf %x, %b : f32
    %relu = arith.maximumf %sum, %zero : f32
    linalg.yield %relu : f32
  } -> !image
  return %out : !image
}
