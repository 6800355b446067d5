// SPDX-License-Identifier: GPL-2.0
/*
 * Access to the registers of hardware, and the claim that keeps a second reader away.
 */
#include <linux/delay.h>
#include <linux/hashtable.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/regmap.h>
#include <linux/timekeeping.h>

#include "internal.h"

static DEFINE_MUTEX(macstats_claimed_lock);	/* protects the next three */
static LIST_HEAD(macstats_claimed);
static DEFINE_HASHTABLE(macstats_claimed_registers, 8);
static u32 macstats_last_model_id;

/* Microseconds that a poll busy-waits before it sleeps or gives up. */
#define MACSTATS_BUSY_WAITS	20

/*
 * Lock the hardware and the view; or if accesses may sleep, the hardware alone, see struct
 * macstats_hw. May sleep.
 */
void macstats_hw_lock(struct macstats_hw *hw)
	__acquires(&hw->lock)
{
	mutex_lock(&hw->bus.mutex);
	spin_lock_bh(&hw->lock);
	macstats_hw_unlock_view(hw);
}

/* For callers who have locked the hardware, see struct macstats_hw. */
void macstats_hw_assert_locked(struct macstats_hw *hw)
{
	lockdep_assert(lockdep_is_held(&hw->bus.mutex) ||
		       (!hw->bus.sleeps && lockdep_is_held(&hw->lock)));
}

/*
 * Let accesses sleep until the hardware, which the caller has locked, is unlocked. Unlocks the
 * view.
 */
void macstats_hw_unlock_to_sleep(struct macstats_hw *hw)
{
	lockdep_assert_held(&hw->bus.mutex);
	if (hw->bus.sleeps)
		return;
	WRITE_ONCE(hw->bus.sleeps, true);
	macstats_hw_unlock_view(hw);
}

/* Undo macstats_hw_lock(). */
void macstats_hw_unlock(struct macstats_hw *hw)
	__releases(&hw->lock)
{
	macstats_hw_lock_view(hw);
	WRITE_ONCE(hw->bus.sleeps, !hw->bus.fast_io || hw->bus.slow);
	spin_unlock_bh(&hw->lock);
	mutex_unlock(&hw->bus.mutex);
}

/* Lock the view, too. Caller has locked the hardware. */
void macstats_hw_lock_view(struct macstats_hw *hw)
{
	if (hw->bus.sleeps) {
		__release(&hw->lock);
		spin_lock_bh(&hw->lock);
	}
}

/* Unlock the view if accesses may sleep; the hardware stays locked. */
void macstats_hw_unlock_view(struct macstats_hw *hw)
{
	if (hw->bus.sleeps) {
		spin_unlock_bh(&hw->lock);
		__acquire(&hw->lock);
	}
}

/*
 * Make the registers accessible, and lock the hardware. If get() fails, every access fails with its
 * error. It may resume the hardware, and so comes first. May sleep.
 */
void macstats_hw_enter(struct macstats_hw *hw)
	__acquires(&hw->lock)
{
	int err = 0;

	if (READ_ONCE(hw->bus.closed))
		err = -ENODEV;
	else if (hw->bus.ops->get)
		err = hw->bus.ops->get(hw->bus.priv);
	macstats_hw_lock(hw);
	hw->bus.access_error = err;
}

/* Undo macstats_hw_enter(). */
void macstats_hw_leave(struct macstats_hw *hw)
	__releases(&hw->lock)
{
	bool put = !hw->bus.access_error && hw->bus.ops->put;

	hw->bus.access_error = 0;
	macstats_hw_unlock(hw);
	if (put)
		hw->bus.ops->put(hw->bus.priv);
}

/* May the hardware be accessed? Caller has locked it. */
bool macstats_hw_accessible(struct macstats_hw *hw)
{
	macstats_hw_assert_locked(hw);
	return !READ_ONCE(hw->bus.closed) && !hw->acc.state.suspended && !hw->acc.state.gone;
}

/* Return: 0, or the error of every access at present. Caller has locked the hardware. */
static int macstats_hw_access(struct macstats_hw *hw)
{
	return macstats_hw_accessible(hw) ? hw->bus.access_error : -ENODEV;
}

static int macstats_regmap_read(void *context, __u32 address, __u64 *value)
{
	struct macstats_hw *hw = context;
	unsigned int word = 0;
	int err;

	err = macstats_hw_access(hw) ?: regmap_read(hw->bus.regmap, address, &word);
	*value = word;
	return err;
}

/* Read adjacent registers one by one. */
static int macstats_hw_read_each(void *context, __u32 address, __u64 *values, unsigned int words,
				 bool changes, unsigned int *done)
{
	struct macstats_hw *hw = context;
	u32 step = macstats_word_step(hw->model);
	int err = 0;

	while (*done < words) {
		err = hw->acc.bus.read(hw, address, &values[*done]);
		if (err)
			break;
		++*done;
		address += step;
	}
	return err;
}

/*
 * Read adjacent registers: those that a read changes one by one, as regmap does not say how far it
 * came. It stores the others in its own width: widen them in place.
 */
static int macstats_regmap_read_block(void *context, __u32 address, __u64 *values,
				      unsigned int words, bool changes, unsigned int *done)
{
	struct macstats_hw *hw = context;
	unsigned int bytes = hw->model->bus_bits / 8;
	int err;

	if (changes || words == 1)
		return macstats_hw_read_each(hw, address, values, words, changes, done);
	err = macstats_hw_access(hw) ?: regmap_bulk_read(hw->bus.regmap, address, values, words);
	if (err)
		return err;
	*done = words;
	while (words--) {
		if (bytes == 1)
			values[words] = ((u8 *)values)[words];
		else if (bytes == 2)
			values[words] = ((u16 *)values)[words];
		else
			values[words] = ((u32 *)values)[words];
	}
	return 0;
}

static int macstats_regmap_update(void *context, __u32 address, __u32 mask, __u32 value)
{
	struct macstats_hw *hw = context;
	int err = macstats_hw_access(hw);

	/* Not regmap_update_bits(), which may skip a command that a cache has already. */
	return err ?: regmap_write_bits(hw->bus.regmap, address, mask, value);
}

static int macstats_function_read(void *context, __u32 address, __u64 *value)
{
	struct macstats_hw *hw = context;
	unsigned int word = 0;
	int err;

	err = macstats_hw_access(hw) ?: hw->bus.ops->reg_read(hw->bus.priv, address, &word);
	*value = word;
	return err;
}

static int macstats_function_read64(void *context, __u32 address, __u64 *value)
{
	struct macstats_hw *hw = context;
	int err = macstats_hw_access(hw);

	return err ?: hw->bus.ops->reg_read64(hw->bus.priv, address, value);
}

static int macstats_function_update(void *context, __u32 address, __u32 mask, __u32 value)
{
	struct macstats_hw *hw = context;
	int err = macstats_hw_access(hw);

	if (err)
		return err;
	return hw->bus.ops->reg_update_bits(hw->bus.priv, address, mask, value);
}

static int macstats_emulated_read_block(void *context, __u32 address, __u64 *values,
					unsigned int words, bool changes, unsigned int *done)
{
	struct macstats_hw *hw = context;
	int err;

	err = macstats_hw_access(hw);
	return err ?: hw->emulated.read_block(hw->bus.priv, address, values, words, done);
}

/* Has this poll used up its busy waits? */
bool macstats_hw_gave_up(const struct macstats_hw *hw)
{
	return hw->bus.busy_waits > MACSTATS_BUSY_WAITS;
}

static bool macstats_hw_wait(void *context)
{
	struct macstats_hw *hw = context;

	if (!macstats_hw_gave_up(hw))
		hw->bus.busy_waits++;
	if (!macstats_hw_gave_up(hw))
		udelay(1);
	else if (hw->bus.sleeps)
		usleep_range(10, 50);
	else
		return false;
	return true;
}

static bool macstats_hw_clocks_run(void *context)
{
	struct macstats_hw *hw = context;

	/* Otherwise the next access returns the error. */
	return macstats_hw_access(hw) || hw->bus.ops->clocks_run(hw->bus.priv);
}

static u64 macstats_emulated_line_octets(void *context)
{
	struct macstats_hw *hw = context;

	return hw->emulated.line_octets(hw->bus.priv);
}

static bool macstats_emulated_lowered(void *context, unsigned int index)
{
	struct macstats_hw *hw = context;

	return hw->emulated.lowered(hw->bus.priv, index);
}

static u64 macstats_hw_now_ns(void *context)
{
	return ktime_get_boottime_ns();
}

static const struct macstats_port_ops macstats_no_ops;

/* Set how registers are accessed. */
void macstats_hw_init_bus(struct macstats_hw *hw, const struct macstats_port_config *config)
{
	const struct macstats_port_ops *ops = config->ops ?: &macstats_no_ops;
	struct macstats_bus *bus = &hw->acc.bus;

	hw->bus.ops = ops;
	hw->bus.priv = config->priv;
	hw->bus.regmap = config->regmap;
	INIT_LIST_HEAD(&hw->bus.claimed);
	mutex_init(&hw->bus.mutex);
	hw->bus.fast_io = config->flags & MACSTATS_PORT_FAST_IO;
	hw->bus.sleeps = true;
	bus->context = hw;
	if (ops->reg_read) {
		bus->read = macstats_function_read;
		bus->read_block = macstats_hw_read_each;
		bus->update = macstats_function_update;
	} else {
		bus->read = macstats_regmap_read;
		bus->read_block = macstats_regmap_read_block;
		bus->update = macstats_regmap_update;
	}
	bus->read64 = ops->reg_read64 ? macstats_function_read64 : NULL;
	if (hw->emulated.read_block)
		bus->read_block = macstats_emulated_read_block;
	bus->wait = macstats_hw_wait;
	bus->clocks_run = ops->clocks_run ? macstats_hw_clocks_run : NULL;
	bus->line_octets = hw->emulated.line_octets ? macstats_emulated_line_octets : NULL;
	bus->lowered = hw->emulated.lowered ? macstats_emulated_lowered : NULL;
	bus->now_ns = macstats_hw_now_ns;
}

/* The device whose registers a port reads. */
static const void *macstats_hw_registers(const struct macstats_hw *hw)
{
	return hw->bus.ops->reg_read ? hw->bus.priv : hw->bus.regmap;
}

/* Check whether two ports read the same registers. */
static bool macstats_hw_is_same(const struct macstats_hw *a, const struct macstats_hw *b)
{
	return macstats_hw_registers(a) == macstats_hw_registers(b) &&
	       a->bus.ops->reg_read == b->bus.ops->reg_read && a->index == b->index;
}

/* Find hardware in use that has a model, or NULL. Caller holds macstats_claimed_lock. */
static const struct macstats_hw *macstats_hw_with(const struct macstats_model *model)
{
	const struct macstats_hw *hw;

	list_for_each_entry(hw, &macstats_claimed, bus.claimed)
		if (hw->model == model)
			return hw;
	return NULL;
}

/* Does hardware in use have this model? */
bool macstats_model_is_used(const struct macstats_model *model)
{
	bool used;

	mutex_lock(&macstats_claimed_lock);
	used = macstats_hw_with(model);
	mutex_unlock(&macstats_claimed_lock);
	return used;
}

/*
 * Add the hardware to those in use, and give its model a number, shared by hardware with the same
 * model. Two readers would take counts from each other. Return: 0, or -EEXIST if it is in use.
 */
int macstats_hw_claim(struct macstats_hw *hw)
{
	unsigned long key = (unsigned long)macstats_hw_registers(hw);
	const struct macstats_hw *other;
	int err = 0;

	mutex_lock(&macstats_claimed_lock);
	hash_for_each_possible(macstats_claimed_registers, other, bus.registers, key)
		if (macstats_hw_is_same(other, hw))
			err = -EEXIST;
	if (!err) {
		other = macstats_hw_with(hw->model);
		hw->model_id = other ? other->model_id : ++macstats_last_model_id;
		list_add(&hw->bus.claimed, &macstats_claimed);
		hash_add(macstats_claimed_registers, &hw->bus.registers, key);
	}
	mutex_unlock(&macstats_claimed_lock);
	return err;
}

void macstats_hw_release(struct macstats_hw *hw)
{
	mutex_lock(&macstats_claimed_lock);
	list_del_init(&hw->bus.claimed);
	hash_del(&hw->bus.registers);
	mutex_unlock(&macstats_claimed_lock);
}

/**
 * macstats_regmap_precious() - does a read change a register?
 * @model: describes the registers
 * @reg: address of the register, from the base of the device
 *
 * For regmap_config.precious_reg.
 *
 * Context: any.
 * Return: true if a read clears or otherwise changes the register.
 */
bool macstats_regmap_precious(const struct macstats_model *model, unsigned int reg)
{
	u32 offset = reg;

	return macstats_port_of(model, &offset) < model->ports &&
	       macstats_read_is_destructive(model, offset);
}
EXPORT_SYMBOL_GPL(macstats_regmap_precious);
