/* A library of something else. */
int answer(void) { return 42; }
