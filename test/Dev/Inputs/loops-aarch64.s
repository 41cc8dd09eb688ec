f:
.LBB0_1:
	ldp	q1, q2, [x0], #32
	ldr	q3, [sp, #16]
	fmla	v4.4s, v1.4s, v2.s[0]
	sdot	v5.4s, v1.16b, v2.4b[1]
	bfdot	v6.4s, v1.8h, v2.8h
	bfmmla	v7.4s, v1.8h, v2.8h
	smmla	v8.4s, v1.16b, v2.16b
	subs	x1, x1, #1
	b.ne	.LBB0_1
