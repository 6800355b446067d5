// SPDX-License-Identifier: GPL-2.0
/*
 * Loading this module commits one defect, which a kernel with checks reports. It shows that a
 * guest finds defects of this kind in the modules.
 */
#include <linux/completion.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/timer.h>

#define RACE_JIFFIES	(2 * HZ)

static char *defect;
module_param(defect, charp, 0444);
MODULE_PARM_DESC(defect, "The name of a defect, see test_defects");

struct test_object {
	struct timer_list timer;
	u32 octets[16];
};

static struct test_object *object;

static int test_new(void)
{
	object = kzalloc(sizeof(*object), GFP_KERNEL);
	return object ? 0 : -ENOMEM;
}

static int test_leak(void)
{
	int err = test_new();

	object = NULL;
	return err;
}

static int test_use_after_free(void)
{
	struct test_object *freed;
	int err = test_new();

	if (err)
		return err;
	freed = object;
	kfree(freed);
	WRITE_ONCE(freed->octets[0], 1);
	return 0;
}

static void test_timer(struct timer_list *timer)
{
}

static int test_free_active(void)
{
	int err = test_new();

	if (err)
		return err;
	timer_setup(&object->timer, test_timer, 0);
	mod_timer(&object->timer, jiffies + 1000 * HZ);
	kfree(object);
	return 0;
}

static int test_sleep_in_atomic(void)
{
	static DEFINE_SPINLOCK(lock);

	spin_lock(&lock);
	might_sleep();
	spin_unlock(&lock);
	return 0;
}

static int test_lock_order(void)
{
	static DEFINE_MUTEX(first);
	static DEFINE_MUTEX(second);

	mutex_lock(&first);
	mutex_lock(&second);
	mutex_unlock(&second);
	mutex_unlock(&first);

	mutex_lock(&second);
	mutex_lock(&first);
	mutex_unlock(&first);
	mutex_unlock(&second);
	return 0;
}

static int test_rcu_unlocked(void)
{
	static u32 __rcu *protected;

	return rcu_dereference(protected) ? -EINVAL : 0;
}

static int test_shift(void)
{
	static unsigned int bits = 40;

	return 1u << READ_ONCE(bits) == 7 ? -EINVAL : 0;
}

static unsigned int raced;

/* Both threads add, until it has gone on long enough. */
static noinline void test_add(unsigned long end)
{
	while (time_before(jiffies, end)) {
		raced++;
		cond_resched();
	}
}

static int test_racer(void *started)
{
	complete(started);
	test_add(jiffies + RACE_JIFFIES);
	while (!kthread_should_stop())
		schedule_timeout_interruptible(1);
	return 0;
}

static int test_race(void)
{
	DECLARE_COMPLETION_ONSTACK(started);
	struct task_struct *other = kthread_run(test_racer, &started, "test_racer");

	if (IS_ERR(other))
		return PTR_ERR(other);
	wait_for_completion(&started);
	test_add(jiffies + RACE_JIFFIES);
	return kthread_stop(other);
}

static const struct {
	const char *name;
	int (*run)(void);
} test_defects[] = {
	{ "leak", test_leak },
	{ "use_after_free", test_use_after_free },
	{ "free_active", test_free_active },
	{ "sleep_in_atomic", test_sleep_in_atomic },
	{ "lock_order", test_lock_order },
	{ "rcu_unlocked", test_rcu_unlocked },
	{ "shift", test_shift },
	{ "race", test_race },
};

static int __init test_init(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(test_defects); i++)
		if (defect && !strcmp(defect, test_defects[i].name))
			return test_defects[i].run();
	return -EINVAL;
}

static void __exit test_exit(void)
{
}

module_init(test_init);
module_exit(test_exit);

MODULE_DESCRIPTION("Defects that a kernel with checks reports, for tests");
MODULE_AUTHOR("macstats contributors");
MODULE_LICENSE("GPL");
