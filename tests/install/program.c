/* program.c - a program of somebody else's, who has cosched installed. */
#include <cosched/error.h>
#include <stdio.h>

int main(void)
{
    struct cs_error err = {{0}};

    cs_error_set(&err, "nothing to plan");
    cs_error_prefix(&err, "program");
    puts(err.text);
    return 0;
}
