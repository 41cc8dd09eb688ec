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
// One file cannot be both object and header, however it is called.
// RUN: not sched-opt %s --auto-schedule="trials=2 threads=1 work-dir=%t/work" --emit=obj -o %t/both --emit-header=%t/both 2>&1 | FileCheck %s --check-prefix=SAME --implicit-check-not=trials
// RUN: not sched-opt %s --auto-schedule="trials=2 threads=1 work-dir=%t/work" --emit=obj -o %t/both --emit-header=%t/./both 2>&1 | FileCheck %s --check-prefix=SAME --implicit-check-not=trials
// RUN: not sched-opt %s --auto-schedule="trials=2 threads=1 work-dir=%t/work" --emit=obj -o %t/real --emit-header=%t/link 2>&1 | FileCheck %s --check-prefix=SAME --implicit-check-not=trials
// RUN: sched-opt %s --emit=obj -o /dev/null --emit-header=/dev/null

// An object goes to a terminal only if that is asked for.
// RUN: not %python %S/Inputs/terminal.py sched-opt %s --auto-schedule="trials=2 threads=1 work-dir=%t/work" --emit=obj > %t.refused 2>&1
// RUN: FileCheck %s --check-prefix=REFUSED --input-file=%t.refused --implicit-check-not=trials
// RUN: %python %S/Inputs/terminal.py sched-opt %s --emit=obj -o - | FileCheck %s --check-prefix=ELF
// RUN: sched-opt %s --emit=obj | %python -c "import sys; print('wrote', sys.stdin.buffer.read(4).hex())" | FileCheck %s --check-prefix=ELF
// RUN: %python %S/Inputs/terminal.py sched-opt %s --emit=asm | FileCheck %s --check-prefix=TEXT

// RUN: not ls %t/work
// RUN: ls %t | FileCheck %s --check-prefix=NOTHING --implicit-check-not=temp

// SAME: error: found '{{.*}}' for both -o and --emit-header, expected two files
// REFUSED: error: --emit=obj would write an object to the terminal; give a file with -o F.o, or a pipe
// REFUSED: wrote nothing
// ELF: wrote 7f454c46
// TEXT: wrote {{[0-9a-f]+}}
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
