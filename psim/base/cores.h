/* The host's cores. */
#ifndef PSIM_BASE_CORES_H
#define PSIM_BASE_CORES_H

/*
 * Returns the number of cores that this process may use, at least 1. A batch system or taskset(1) may have bound it to
 * some of the host's, or a container may have a quota of their time.
 */
unsigned cores_allowed(void);

/*
 * Returns the whole cores that the quotas of control groups (version 2) permit, at least 1; UINT_MAX: there are none.
 * `groups` is a file like /proc/self/cgroup, which names the process' group, and `mount` the folder of all groups. The
 * quotas of the groups around it count too. In a container the group may be named as outside, where it is not found:
 * the container's own is `mount` then.
 */
unsigned cores_by_quota(const char *mount, const char *groups);

#endif
