/* SPDX-License-Identifier: MIT */
#include "command/amount.h"

#include "plan/setting.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define DIGITS "0123456789"
#define DECIMALS_MAX 12 /* after the point */
#define EXPONENT_MAX 18
#define DEVICES_MAX ((rk_i128)10000000) /* more than anyone has */

/* "e12": ten to the power of so many; 1: there is none. */
static rk_i128 exponent_of(const char **text)
{
    size_t digits = **text == 'e' || **text == 'E' ? strspn(*text + 1, DIGITS) : 0;
    rk_i128 power = 0, n = 1;

    if (digits == 0 || digits > 2 || !rk_num_parse(*text + 1, digits, &power) || power > EXPONENT_MAX)
        return 1;
    for (; power > 0; power--)
        n *= 10;
    *text += 1 + digits;
    return n;
}

/* Nobody has thousandths of bytes or tokens: 80gb is 80GB. */
static rk_i128 prefix_of(const char **text)
{
    static const char letter[] = "KMGTPE";
    const char *at = **text && **text != 'e' ? strchr(letter, toupper((unsigned char)**text)) : NULL;
    bool binary = at && (*text)[1] == 'i';
    rk_i128 n = 1;

    for (const char *p = letter; at && p <= at; p++)
        n *= binary ? 1024 : 1000;
    *text += at ? 1 + binary : 0;
    return n;
}

rk_i128 rk_cmd_amount(const char **text)
{
    size_t whole = strspn(*text, DIGITS), part = (*text)[whole] == '.' ? strspn(*text + whole + 1, DIGITS) : 0;
    rk_i128 n = 0, fraction = 0, ten = 1;
    const char *number = *text;
    rk_acc acc = {0};

    if (whole == 0 || part > DECIMALS_MAX || (part && !rk_num_parse(number + whole + 1, part, &fraction)))
        return -1;
    if (!rk_num_parse(number, whole, &n))
        return RK_CMD_AMOUNT_LARGE;
    for (size_t i = 0; i < part; i++)
        ten *= 10;
    *text = number + whole + (part ? part + 1 : 0);
    n = rk_mul(&acc, rk_add(&acc, rk_mul(&acc, n, ten), fraction), exponent_of(text));
    n = rk_mul(&acc, n, prefix_of(text));
    if (acc.overflow || n / ten > RK_SETTING_VALUE_MAX)
        return RK_CMD_AMOUNT_LARGE;
    return n % ten != 0 ? -1 : n / ten;
}

int rk_cmd_amount_fail(rk_i128 read, const char *option, const char *value, const char *wanted, rk_err *err)
{
    if (read == RK_CMD_AMOUNT_LARGE)
        return rk_fail(err, RK_EUSAGE, "%s: '%s' is too large", option, value);
    return rk_fail(err, RK_EUSAGE, "%s: '%s' is no number of %s", option, value, wanted);
}

int rk_cmd_bytes(const rk_cmd_line *line, const char *option, rk_i128 least, rk_i128 *out, rk_err *err)
{
    const char *value = rk_cmd_value(line, option), *text = value;

    if (!value)
        return RK_OK;
    *out = rk_cmd_amount(&text);
    if (*out >= least && (strcasecmp(text, "B") == 0 || *text == '\0'))
        return RK_OK;
    return rk_cmd_amount_fail(*out, option, value, "bytes, such as 80GB or 80GiB", err);
}

int rk_cmd_rate(const rk_cmd_line *line, rk_i128 *out, rk_err *err)
{
    static const char *const unit[] = {"", "FLOP/s", "FLOPS", "FLOPs/s"};
    const char *value = rk_cmd_value(line, "--rate"), *text = value;

    if (!value)
        return RK_OK;
    *out = rk_cmd_amount(&text);
    for (size_t i = 0; i<sizeof unit / sizeof *unit && * out> 0; i++)
        if (strcmp(text, unit[i]) == 0)
            return RK_OK;
    return rk_cmd_amount_fail(*out, "--rate", value, "FLOPs in a second, such as 19.5TFLOP/s", err);
}

int rk_cmd_mfu(const rk_cmd_line *line, double *out, rk_err *err)
{
    const char *value = rk_cmd_value(line, "--mfu");
    size_t digits = value ? strspn(value, "0123456789.") : 0;
    char *end = NULL;

    *out = 1;
    if (!value)
        return RK_OK;
    *out = digits > 0 ? strtod(value, &end) : 0;
    if (digits > 0 && (strcmp(value + digits, "%") == 0 || (value[digits] == '\0' && *out > 1)))
        *out /= 100; /* 40 is 40 %: nobody reaches forty times a rate */
    else if (digits == 0 || value[digits] != '\0')
        *out = 0;
    if (digits > 0 && end == value + digits && *out > 0 && *out <= 1)
        return RK_OK;
    return rk_fail(err, RK_EUSAGE, "--mfu: '%s' is no share, such as 50%% or 0.5", value);
}

int rk_cmd_device(const rk_cmd_line *line, rk_arena *a, const rk_device **out, rk_err *err)
{
    const char *name = rk_cmd_value(line, "--device");
    rk_library library = rk_cmd_library(line);
    int code;

    *out = NULL;
    if (!name)
        return RK_OK;
    code = rk_cmd_check_library(line, err);
    return code == RK_OK ? rk_device_read(&library, a, name, out, err) : code;
}

int rk_cmd_devices(const rk_cmd_line *line, rk_i128 *out, rk_err *err)
{
    const char *value = rk_cmd_value(line, "--devices");

    *out = 1;
    if (value && (rk_count_parse(value, out, NULL) != RK_OK || *out > DEVICES_MAX))
        return rk_fail(err, RK_EUSAGE, "--devices is not '%s' but a whole number from 1 to ten million", value);
    return RK_OK;
}
