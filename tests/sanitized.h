/* SANITIZED: a build with a sanitizer, which is slow and takes addresses and malloc for itself. gcc
 * and clang say it in different ways. */
#ifndef BESD_TESTS_SANITIZED_H
#define BESD_TESTS_SANITIZED_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#endif

#endif
