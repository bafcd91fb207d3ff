/* SPDX-License-Identifier: MIT */
#include "cli/amount.h"

#include "plan/setting.h"

#include <string.h>

#define DIGITS "0123456789"
#define DECIMALS_MAX 12 /* behind the point */

static rk_i128 prefix_of(const char **text)
{
    static const char letter[] = "kMGTPE";
    const char *at = **text ? strchr(letter, **text == 'K' ? 'k' : **text) : NULL;
    bool binary = at && (*text)[1] == 'i';
    rk_i128 n = 1;

    for (const char *p = letter; at && p <= at; p++)
        n *= binary ? 1024 : 1000;
    *text += at ? 1 + binary : 0;
    return n;
}

rk_i128 rk_cli_amount(const char **text)
{
    size_t whole = strspn(*text, DIGITS), part = (*text)[whole] == '.' ? strspn(*text + whole + 1, DIGITS) : 0;
    rk_i128 n = 0, fraction = 0, ten = 1;
    const char *number = *text;
    rk_acc acc = {0};

    if (whole == 0 || part > DECIMALS_MAX || (part && !rk_num_parse(number + whole + 1, part, &fraction)))
        return -1;
    if (!rk_num_parse(number, whole, &n))
        return RK_CLI_AMOUNT_LARGE;
    for (size_t i = 0; i < part; i++)
        ten *= 10;
    *text = number + whole + (part ? part + 1 : 0);
    n = rk_mul(&acc, rk_add(&acc, rk_mul(&acc, n, ten), fraction), prefix_of(text));
    if (acc.overflow || n / ten > RK_SETTING_VALUE_MAX)
        return RK_CLI_AMOUNT_LARGE;
    return n % ten != 0 ? -1 : n / ten;
}

int rk_cli_amount_fail(rk_i128 read, const char *option, const char *value, const char *wanted, rk_err *err)
{
    if (read == RK_CLI_AMOUNT_LARGE)
        return rk_fail(err, RK_EUSAGE, "%s: '%s' is too large", option, value);
    return rk_fail(err, RK_EUSAGE, "%s: '%s' is no number of %s", option, value, wanted);
}

int rk_cli_bytes(const rk_cli_line *line, const char *option, rk_i128 *out, rk_err *err)
{
    const char *value = rk_cli_value(line, option), *text = value;

    if (!value)
        return RK_OK;
    *out = rk_cli_amount(&text);
    if (*out > 0 && (strcmp(text, "B") == 0 || *text == '\0'))
        return RK_OK;
    return rk_cli_amount_fail(*out, option, value, "bytes, such as 80GB or 80GiB", err);
}
