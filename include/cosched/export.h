/* export.h - which functions the shared library shows. */
#ifndef COSCHED_EXPORT_H
#define COSCHED_EXPORT_H

#if defined(__GNUC__)
#define CS_API __attribute__((visibility("default")))
#define CS_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define CS_API
#define CS_PRINTF(text, first)
#endif

#ifdef __cplusplus
#define CS_BEGIN_DECLS extern "C" {
#define CS_END_DECLS }
#else
#define CS_BEGIN_DECLS
#define CS_END_DECLS
#endif

#endif
