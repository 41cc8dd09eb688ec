f:
.LBB0_1:
	vmulps	(%rdi), %ymm0, %ymm1
	addq	$32, %rdi
	cmpq	%rsi, %rdi
	jb	.LBB0_1
# A row is stored for its elements, a broadcast and a sum for themselves; what zmm0
# multiplies is the same in each iteration.
.LBB0_2:
	vmovdqu64	(%rdx), %zmm1
	vpmovsxbd	(%rsi), %zmm2
	vmovdqa64	%zmm2, 64(%rsp)
	vpbroadcastd	124(%rsp), %zmm3
	vpdpbusd	%zmm1, %zmm3, %zmm4
	vpdpbusd	%zmm1, %zmm0, %zmm5
	vpdpbusd	128(%rsp), %zmm3, %zmm6
	{vex}	vpdpbusd	%ymm1, %ymm3, %ymm7
	vmovdqu64	%zmm5, 192(%rsp)
	addq	$64, %rdx
	cmpq	%rcx, %rdx
	jb	.LBB0_2
