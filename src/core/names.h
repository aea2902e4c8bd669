/* SPDX-License-Identifier: Apache-2.0 */
/* Names put together by the preprocessor: SPW_CAT(rule, 5_3) is rule_5_3. */
#ifndef SPW_CORE_NAMES_H
#define SPW_CORE_NAMES_H

#define SPW_CAT_(a, b) a##_##b
#define SPW_CAT(a, b) SPW_CAT_(a, b)

#endif
