// SPDX-License-Identifier: GPL-2.0
//
// Contracts of the functions that turn register values into totals, for Frama-C. A prototype
// with its contract precedes the header that defines the function, so that the headers contain
// no annotations. `run` proves each contract for every width and every value.
#include <macstats/frame.h>

#define FOR_EACH_WIDTH(X)						\
	X(1)  X(2)  X(3)  X(4)  X(5)  X(6)  X(7)  X(8)			\
	X(9)  X(10) X(11) X(12) X(13) X(14) X(15) X(16)			\
	X(17) X(18) X(19) X(20) X(21) X(22) X(23) X(24)			\
	X(25) X(26) X(27) X(28) X(29) X(30) X(31) X(32)			\
	X(33) X(34) X(35) X(36) X(37) X(38) X(39) X(40)			\
	X(41) X(42) X(43) X(44) X(45) X(46) X(47) X(48)			\
	X(49) X(50) X(51) X(52) X(53) X(54) X(55) X(56)			\
	X(57) X(58) X(59) X(60) X(61) X(62) X(63) X(64)

/* The provers know no powers, so the maximum of each width is a case of its own. */
#define MAXIMUM_OF(n)	bits == n ? (1 << n) - 1 :
#define MASK_OF(n)	ensures bits == n ==> \result == (1 << n) - 1;
#define IS_MASK_OF(n)	mask == (1 << n) - 1 ||

#define LARGEST		0xffffffffffffffff
#define LARGEST_TOTAL	0xfffffffffffffffe	/* MACSTATS_TOTAL_MAX */
#define UNBOUNDED	LARGEST			/* MACSTATS_UNBOUNDED */
#define SATURATE	1			/* MACSTATS_SATURATE */
#define ROLLOVER_64	0x100000000		/* MACSTATS_ROLLOVER_64 */

/*@
  logic integer maximum(integer bits) = FOR_EACH_WIDTH(MAXIMUM_OF) 0;

  predicate fits(integer bits, integer value) = 0 <= value <= maximum(bits);

  // The difference of two values modulo a power of two: proved in unsigned.smt2.
  axiomatic Unsigned {
    axiom masked_difference:
        \forall integer mask, d; FOR_EACH_WIDTH(IS_MASK_OF) \false ==>
            -mask <= d <= mask ==>
            (mask & (unsigned long long)d) == (d >= 0 ? d : d + mask + 1);
  }

  // The fewest events that lead from old to value.
  logic integer counted(integer bits, integer old, integer value) =
      value >= old ? value - old : value - old + maximum(bits) + 1;

  // Neither traffic nor one rollover leads from old to value.
  predicate impossible(integer bits, integer overflow, integer old, integer value,
                       integer most) =
      (overflow == SATURATE && value < old) ||
      (most != UNBOUNDED && counted(bits, old, value) > most) ||
      (most == UNBOUNDED && bits == 64 && value < old &&
       counted(bits, old, value) > ROLLOVER_64);
*/

/*@
  requires 1 <= bits <= 64;
  assigns \nothing;
  FOR_EACH_WIDTH(MASK_OF)
*/
MACSTATS_FN __u64 macstats_bits_mask(unsigned int bits);

/*@
  assigns \nothing;
  ensures \result == (a + b > LARGEST ? LARGEST : a + b);
*/
MACSTATS_FN __u64 macstats_saturating_add(__u64 a, __u64 b);

#include <macstats/schema.h>

/*@
  requires \valid_read(counter);
  requires 1 <= counter->bits <= 64;
  requires fits(counter->bits, old) && fits(counter->bits, value);
  assigns \nothing;
  ensures \result == counted(counter->bits, old, value);
  ensures fits(counter->bits, \result);
  // Any number of events that the counter can show is exact, rolled over or not.
  ensures \forall integer n; fits(counter->bits, n) &&
      (value == old + n || value == old + n - maximum(counter->bits) - 1) ==> \result == n;
*/
MACSTATS_FN __u64 macstats_events_between(const struct macstats_counter *counter, __u64 old,
					  __u64 value);

/*@
  requires \valid_read(counter);
  requires 1 <= counter->bits <= 64;
  requires fits(counter->bits, old) && fits(counter->bits, value);
  assigns \nothing;
  ensures \result != 0 <==>
      impossible(counter->bits, counter->overflow, old, value, most);
*/
MACSTATS_FN bool macstats_is_discontinuity(const struct macstats_counter *counter, __u64 old,
					   __u64 value, __u64 most);

/*@
  requires 0 <= total <= LARGEST_TOTAL;
  assigns \nothing;
  ensures \result == (total + events > LARGEST_TOTAL ? LARGEST_TOTAL : total + events);
*/
MACSTATS_FN __u64 macstats_total_add(__u64 total, __u64 events);

/*@
  requires \valid_read(counter) && \valid(total) && \valid(old);
  requires \separated(counter, total, old);
  requires 1 <= counter->bits <= 64;
  requires fits(counter->bits, *old) && fits(counter->bits, value);
  requires *total <= LARGEST_TOTAL;
  assigns *total, *old;
  ensures *old == left;
  ensures \result != 0 <==>
      impossible(counter->bits, counter->overflow, \old(*old), value, most);
  // A discontinuity changes no total.
  ensures \result != 0 ==> *total == \old(*total);
  // Otherwise the total advances by what was counted, exactly, up to the largest one.
  ensures \result == 0 ==> *total ==
      (\old(*total) + counted(counter->bits, \old(*old), value) > LARGEST_TOTAL ? LARGEST_TOTAL :
       \old(*total) + counted(counter->bits, \old(*old), value));
  // It never goes back, nor jumps by more than the line carries or the counter shows.
  ensures \old(*total) <= *total <= LARGEST_TOTAL;
  ensures *total <= \old(*total) + maximum(counter->bits);
  ensures *total <= \old(*total) + most;
*/
MACSTATS_FN bool macstats_accumulate(const struct macstats_counter *counter, __u64 *total,
				     __u64 *old, __u64 value, __u64 left, __u64 most);

#include <macstats/account.h>
