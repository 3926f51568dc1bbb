/* remote.c - by the numbers that Linux gives to kinds of file systems. */
#include "base/remote.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>

bool cs_remote_is(const char *path)
{
    static const uint32_t kind[] = {
        0x6969,     /* NFS */
        0x517b,     /* SMB */
        0xff534d42, /* CIFS */
        0xfe534d42, /* SMB 2 */
        0x0bd00bd0, /* Lustre */
        0x47504653, /* GPFS */
        0x00c36400, /* Ceph */
        0x19830326, /* BeeGFS */
        0x5346414f, /* AFS */
        0x6b414653, /* AFS of the kernel */
        0x01021997, /* 9p */
        0x65735546, /* FUSE: may be anything */
        0xaad7aaea, /* PanFS */
        0x7461636f, /* OCFS2 */
        0x01161970, /* GFS2 */
    };
    const char *asked = getenv("COSCHED_STORE_JOURNAL");
    struct statfs system;

    if (asked && !strcmp(asked, "delete"))
        return true;
    if (statfs(path, &system))
        return false;
    for (size_t k = 0; k < sizeof kind / sizeof *kind; k++)
        if ((uint32_t)system.f_type == kind[k])
            return true;
    return false;
}
