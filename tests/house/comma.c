/* comma.c - makes any program one that has called setlocale(LC_ALL, ""), when it is preloaded. */
#include <locale.h>

__attribute__((constructor)) static void take_the_locale_of_the_environment(void)
{
    setlocale(LC_ALL, "");
}
