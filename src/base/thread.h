/* thread.h - teams of threads, made for one piece of work.
 *
 * The thread that calls is member 0 of its team; the others are started for the call and have ended
 * when it returns, so that fork() between calls finds no thread of ours.  The system may refuse to
 * start some: then there are fewer members, and the work that they share must not wait for the
 * missing. The members' guard (guard.h) and watch (watch.h) lead to those of the calling thread.
 * Signals are blocked in members, but for those that report an error of the member, such as
 * SIGSEGV.
 */
#ifndef CS_BASE_THREAD_H
#define CS_BASE_THREAD_H

#include <signal.h>

#define CS_THREADS 1024 /* more cannot be requested */

/* The number of the calling thread in its team, from 0; 0 outside of teams. */
int cs_thread_index(void);

/* How many threads the process may use: the first number of OMP_NUM_THREADS if it is set, else the
 * processors in the affinity mask of the calling thread; at most OMP_THREAD_LIMIT. */
int cs_thread_limit(void);

/* The signal mask for a program that this thread starts: that of the thread that made the team. */
void cs_thread_mask(sigset_t *mask);

/* How many members a team of so many threads may have: 1 inside of a team. */
int cs_team_size(int threads);

/* Call work(who, member) in every member.  When a member runs out of memory, the calling function
 * does (cs_bug_no_memory()), after all members have ended. */
void cs_team_run(int threads, void (*work)(void *who, int member), void *who);

#endif
