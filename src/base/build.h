/* build.h - identity of this build of cosched.
 *
 * Results may differ between versions, commits and compilers (they should not between compilers,
 * but a user who combines numbers of two builds needs to know): stores of results record it.
 */
#ifndef CS_BASE_BUILD_H
#define CS_BASE_BUILD_H

/* "0.1.0 (4f3a2b1c9d8e, gcc 12.2.0)": version, commit ("release" outside of a repository, with a +
 * when files were changed since) and compiler. */
const char *cs_build(void);

#endif
