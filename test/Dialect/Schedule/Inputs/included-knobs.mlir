module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %rows = transform.include @rows failures(propagate) () : () -> !transform.any_param
    transform.foreach %root : !transform.any_op {
    ^bb0(%one: !transform.any_op):
      %inside = transform.tune.knob<"inside"> options = [1, 2] -> !transform.any_param
      transform.annotate %one "chosen" = %inside : !transform.any_op, !transform.any_param
    }
    %first = transform.include @find failures(propagate) (%root) : (!transform.any_op) -> !transform.any_op
    %second = transform.include @find failures(propagate) (%first) : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_for %second tile_sizes [%rows]
      : (!transform.any_op, !transform.any_param) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @rows() -> !transform.any_param {
    %rows = transform.tune.knob<"rows"> options = [4, 8] -> !transform.any_param
    transform.yield %rows : !transform.any_param
  }
  transform.named_sequence @find(%in: !transform.any_op {transform.readonly}) -> !transform.any_op {
    %op = transform.structured.match ops{["linalg.matmul"]} in %in : (!transform.any_op) -> !transform.any_op
    transform.yield %op : !transform.any_op
  }
}
