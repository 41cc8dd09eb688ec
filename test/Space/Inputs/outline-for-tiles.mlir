module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    transform.apply_registered_pass "schedule-outline-tasks" with options = {"tiles" = true} to %root : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
