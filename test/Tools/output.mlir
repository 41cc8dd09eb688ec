// A link stays a link, and what is no regular file is written to, not replaced.
// RUN: rm -rf %t && mkdir -p %t && echo old > %t/real && ln -s real %t/link
// RUN: sched-opt %s --auto-schedule="trials=0 threads=1 quiet=true" --emit=asm -o %t/link
// RUN: readlink %t/link | FileCheck %s --check-prefix=LINK
// RUN: FileCheck %s --input-file=%t/real
// RUN: mkfifo %t/pipe && sh -c 'cat %t/pipe > %t/read & sched-opt %s --auto-schedule="trials=0 threads=1 quiet=true" --emit=asm -o %t/pipe && wait'
// RUN: FileCheck %s --input-file=%t/read
// RUN: test -p %t/pipe


// What cannot be written is said before anything is searched.
// RUN: not sched-opt %s --auto-schedule="trials=2 threads=1 work-dir=%t/work" --emit=obj -o %t/no/f.o 2>&1 | FileCheck %s --check-prefix=EARLY --implicit-check-not=trials
// RUN: not sched-opt %s --auto-schedule="trials=2 threads=1 work-dir=%t/work" --emit=obj -o %t/f.o --emit-header=%t/no/f.h 2>&1 | FileCheck %s --check-prefix=EARLY --implicit-check-not=trials
// RUN: not sched-opt %s --auto-schedule="trials=2 threads=1 work-dir=%t/work" --emit=asm -o %t 2>&1 | FileCheck %s --check-prefix=FOLDER --implicit-check-not=trials
// RUN: not ls %t/work
// RUN: ls %t | FileCheck %s --check-prefix=NOTHING --implicit-check-not=temp

// EARLY: error: '{{.*}}/no/f.{{o|h}}': No such file or directory
// FOLDER: error: '{{.*}}': Is a directory
// NOTHING: real
// LINK: real
// CHECK: f:
func.func @f(%a: tensor<30x40xf32>, %b: tensor<40x50xf32>, %c: tensor<30x50xf32>) -> tensor<30x50xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<30x40xf32>, tensor<40x50xf32>)
                     outs(%c : tensor<30x50xf32>) -> tensor<30x50xf32>
  return %r : tensor<30x50xf32>
}
