/* A library that says it is the XGBoost of MAJOR.MINOR.PATCH, and is none. */
void XGBoostVersion(int *major, int *minor, int *patch) {
  *major = MAJOR;
  *minor = MINOR;
  *patch = PATCH;
}
