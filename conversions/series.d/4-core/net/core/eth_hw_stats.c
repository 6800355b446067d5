// SPDX-License-Identifier: GPL-2.0
/*
 * 64-bit totals of the statistics registers of an Ethernet MAC.
 *
 * The registers are memory-mapped: whoever asks for statistics reads them, in
 * atomic context, and so does a work before a counter wraps or fills. Nobody
 * waits for a bus, and nothing here needs RTNL or the lock of a net device.
 */
#include <linux/bitops.h>
#include <linux/device.h>
#include <linux/export.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include <net/eth_hw_stats.h>

/* Each statistic has a bit. */
static_assert(ETH_HW_HIST_TX_BIT < 64);

struct eth_hw_counter {
	u64 total;
	u64 old;	/* what the register held after the last read */
};

struct eth_hw_stats {
	struct device *dev;
	const struct eth_hw_stats_desc *desc;
	void *priv;
	struct delayed_work work;
	/*
	 * Serialises accesses to the registers, since a read may clear them,
	 * and protects all below.
	 */
	spinlock_t lock;
	bool running;	/* the registers can be read */
	bool baseline;	/* the next read only takes the values as @old */
	const struct eth_hw_stats_row *went_back;	/* to be reported */
	struct eth_hw_counter counters[];	/* of each row */
};

/* account.h */

static int eth_hw_stats_value(const struct eth_hw_stats *stats,
			      const struct eth_hw_stats_row *row, u64 *value)
{
	const struct eth_hw_stats_desc *desc = stats->desc;
	u32 low, high = 0;
	int err;

	err = desc->read(stats->priv, row->reg, &low);
	if (!err && row->mask > U32_MAX)
		err = desc->read(stats->priv, row->reg + 4, &high);
	*value = err ? 0 : (u64)high << 32 | low;
	return err;
}

/* Bring the totals up to date. */
static void eth_hw_stats_read(struct eth_hw_stats *stats)
{
	const struct eth_hw_stats_desc *desc = stats->desc;
	unsigned int i;

	lockdep_assert_held(&stats->lock);

	for (i = 0; stats->running && i < desc->n_rows; i++) {
		const struct eth_hw_stats_row *row = &desc->rows[i];
		struct eth_hw_counter *counter = &stats->counters[i];
		u64 value;

		if (eth_hw_stats_value(stats, row, &value)) {
			stats->running = false;
		} else if (row->flags & ETH_HW_CLEARS) {
			if (!stats->baseline)
				counter->total += value;
		} else if (stats->baseline) {
			counter->old = value & row->mask;
		} else if (eth_hw_stats_accumulate(row, &counter->total,
						   &counter->old,
						   value & row->mask)) {
			stats->went_back = row;
		}
	}
	stats->baseline = false;
}

/* Unlock, and report what has been noticed under the lock. */
static void eth_hw_stats_unlock(struct eth_hw_stats *stats)
{
	const struct eth_hw_stats_row *row = stats->went_back;

	stats->went_back = NULL;
	spin_unlock_bh(&stats->lock);
	if (row)
		dev_warn_ratelimited(stats->dev,
				     "counter %.*s in register %#x went back\n",
				     ETH_GSTRING_LEN, row->name, row->reg);
}

static void eth_hw_stats_queue(struct eth_hw_stats *stats)
{
	queue_delayed_work(system_power_efficient_wq, &stats->work,
			   msecs_to_jiffies(stats->desc->interval_ms));
}

static void eth_hw_stats_work(struct work_struct *work)
{
	struct eth_hw_stats *stats = container_of(to_delayed_work(work),
						  struct eth_hw_stats, work);

	spin_lock_bh(&stats->lock);
	eth_hw_stats_read(stats);
	if (stats->running)
		eth_hw_stats_queue(stats);
	eth_hw_stats_unlock(stats);
}

/**
 * eth_hw_stats_alloc - get totals for the counters of a MAC
 * @dev: the device that has the registers
 * @desc: describes them; must exist until eth_hw_stats_free()
 * @priv: passed to the functions of @desc
 *
 * The totals are 0, and no register is read before eth_hw_stats_start().
 *
 * Return: the totals, or an error pointer
 */
struct eth_hw_stats *eth_hw_stats_alloc(struct device *dev,
					const struct eth_hw_stats_desc *desc,
					void *priv)
{
	struct eth_hw_stats *stats;

	if (!desc->interval_ms)
		return ERR_PTR(-EINVAL);
	stats = kzalloc(struct_size(stats, counters, desc->n_rows), GFP_KERNEL);
	if (!stats)
		return ERR_PTR(-ENOMEM);

	stats->dev = dev;
	stats->desc = desc;
	stats->priv = priv;
	spin_lock_init(&stats->lock);
	INIT_DELAYED_WORK(&stats->work, eth_hw_stats_work);
	return stats;
}
EXPORT_SYMBOL_GPL(eth_hw_stats_alloc);

/**
 * eth_hw_stats_free - give the totals back
 * @stats: from eth_hw_stats_alloc(), or NULL
 *
 * To be called after eth_hw_stats_stop(), and when nobody asks for statistics
 * any more. No register is read.
 *
 * Context: may sleep
 */
void eth_hw_stats_free(struct eth_hw_stats *stats)
{
	if (!stats)
		return;
	spin_lock_bh(&stats->lock);
	WARN_ON(stats->running);
	stats->running = false;
	spin_unlock_bh(&stats->lock);
	cancel_delayed_work_sync(&stats->work);
	kfree(stats);
}
EXPORT_SYMBOL_GPL(eth_hw_stats_free);

/**
 * eth_hw_stats_start - the registers count, and can be read
 * @stats: from eth_hw_stats_alloc()
 *
 * What they hold now has been counted before, or is left from a reset: it is
 * in no total. To be called after each reset of the hardware, which an
 * eth_hw_stats_stop() preceded.
 *
 * Context: any but hard interrupts, with interrupts on
 */
void eth_hw_stats_start(struct eth_hw_stats *stats)
{
	spin_lock_bh(&stats->lock);
	stats->running = true;
	stats->baseline = true;
	eth_hw_stats_read(stats);
	if (stats->running)
		eth_hw_stats_queue(stats);
	eth_hw_stats_unlock(stats);
}
EXPORT_SYMBOL_GPL(eth_hw_stats_start);

/**
 * eth_hw_stats_stop - read the registers a last time
 * @stats: from eth_hw_stats_alloc()
 *
 * To be called when no more frames are received or transmitted, and before the
 * hardware is reset or loses its clock. After that no register is read, and
 * the totals stay.
 *
 * Context: any but hard interrupts, with interrupts on
 */
void eth_hw_stats_stop(struct eth_hw_stats *stats)
{
	spin_lock_bh(&stats->lock);
	eth_hw_stats_read(stats);
	stats->running = false;
	eth_hw_stats_unlock(stats);
}
EXPORT_SYMBOL_GPL(eth_hw_stats_stop);

/**
 * eth_hw_stats_count - for ethtool_ops.get_sset_count()
 * @stats: from eth_hw_stats_alloc()
 *
 * Return: the number of strings and of values
 */
unsigned int eth_hw_stats_count(const struct eth_hw_stats *stats)
{
	return stats->desc->n_rows;
}
EXPORT_SYMBOL_GPL(eth_hw_stats_count);

/**
 * eth_hw_stats_get_strings - for ethtool_ops.get_strings()
 * @stats: from eth_hw_stats_alloc()
 * @data: where the strings go; then points behind them
 */
void eth_hw_stats_get_strings(const struct eth_hw_stats *stats, u8 **data)
{
	unsigned int i;

	for (i = 0; i < stats->desc->n_rows; i++) {
		memcpy(*data, stats->desc->rows[i].name, ETH_GSTRING_LEN);
		*data += ETH_GSTRING_LEN;
	}
}
EXPORT_SYMBOL_GPL(eth_hw_stats_get_strings);

/**
 * eth_hw_stats_get_ethtool_stats - for ethtool_ops.get_ethtool_stats()
 * @stats: from eth_hw_stats_alloc()
 * @data: where the totals go
 */
void eth_hw_stats_get_ethtool_stats(struct eth_hw_stats *stats, u64 *data)
{
	unsigned int i;

	spin_lock_bh(&stats->lock);
	eth_hw_stats_read(stats);
	for (i = 0; i < stats->desc->n_rows; i++)
		data[i] = stats->counters[i].total;
	eth_hw_stats_unlock(stats);
}
EXPORT_SYMBOL_GPL(eth_hw_stats_get_ethtool_stats);

/*
 * Add the totals to the @n statistics that have the bits from @first on. One of
 * ethtool without any counter stays not set, which is not 0.
 */
static void eth_hw_stats_fill(const struct eth_hw_stats *stats,
			      unsigned int first, u64 *values, unsigned int n)
{
	u64 mask = GENMASK_ULL(first + n - 1, first);
	unsigned int i;

	for (i = 0; i < stats->desc->n_rows; i++) {
		u64 terms = stats->desc->rows[i].terms & mask;

		for (; terms; terms &= terms - 1) {
			u64 *value = &values[__ffs64(terms) - first];

			if (first != ETH_HW_FIRST_RTNL &&
			    *value == ETHTOOL_STAT_NOT_SET)
				*value = 0;
			*value += stats->counters[i].total;
		}
	}
}

static void eth_hw_stats_get(struct eth_hw_stats *stats, unsigned int first,
			     u64 *values, size_t size)
{
	spin_lock_bh(&stats->lock);
	eth_hw_stats_read(stats);
	eth_hw_stats_fill(stats, first, values, size / sizeof(*values));
	eth_hw_stats_unlock(stats);
}

/**
 * eth_hw_stats_get_stats64 - for net_device_ops.ndo_get_stats64()
 * @stats: from eth_hw_stats_alloc()
 * @link: with what the driver has counted itself; the errors that the
 *	hardware has counted are added
 */
void eth_hw_stats_get_stats64(struct eth_hw_stats *stats,
			      struct rtnl_link_stats64 *link)
{
	eth_hw_stats_get(stats, ETH_HW_FIRST_RTNL, &link->rx_errors,
			 sizeof(*link) - offsetof(typeof(*link), rx_errors));
}
EXPORT_SYMBOL_GPL(eth_hw_stats_get_stats64);

/**
 * eth_hw_stats_get_eth_mac_stats - for ethtool_ops.get_eth_mac_stats()
 * @stats: from eth_hw_stats_alloc()
 * @mac: what to fill
 */
void eth_hw_stats_get_eth_mac_stats(struct eth_hw_stats *stats,
				    struct ethtool_eth_mac_stats *mac)
{
	eth_hw_stats_get(stats, ETH_HW_FIRST_MAC, (u64 *)&mac->stats,
			 sizeof(mac->stats));
}
EXPORT_SYMBOL_GPL(eth_hw_stats_get_eth_mac_stats);

/**
 * eth_hw_stats_get_eth_phy_stats - for ethtool_ops.get_eth_phy_stats()
 * @stats: from eth_hw_stats_alloc()
 * @phy: what to fill
 */
void eth_hw_stats_get_eth_phy_stats(struct eth_hw_stats *stats,
				    struct ethtool_eth_phy_stats *phy)
{
	eth_hw_stats_get(stats, ETH_HW_FIRST_PHY, (u64 *)&phy->stats,
			 sizeof(phy->stats));
}
EXPORT_SYMBOL_GPL(eth_hw_stats_get_eth_phy_stats);

/**
 * eth_hw_stats_get_eth_ctrl_stats - for ethtool_ops.get_eth_ctrl_stats()
 * @stats: from eth_hw_stats_alloc()
 * @ctrl: what to fill
 */
void eth_hw_stats_get_eth_ctrl_stats(struct eth_hw_stats *stats,
				     struct ethtool_eth_ctrl_stats *ctrl)
{
	eth_hw_stats_get(stats, ETH_HW_FIRST_CTRL, (u64 *)&ctrl->stats,
			 sizeof(ctrl->stats));
}
EXPORT_SYMBOL_GPL(eth_hw_stats_get_eth_ctrl_stats);

/**
 * eth_hw_stats_get_pause_stats - for ethtool_ops.get_pause_stats()
 * @stats: from eth_hw_stats_alloc()
 * @pause: what to fill
 */
void eth_hw_stats_get_pause_stats(struct eth_hw_stats *stats,
				  struct ethtool_pause_stats *pause)
{
	eth_hw_stats_get(stats, ETH_HW_FIRST_PAUSE, (u64 *)&pause->stats,
			 sizeof(pause->stats));
}
EXPORT_SYMBOL_GPL(eth_hw_stats_get_pause_stats);

/**
 * eth_hw_stats_get_rmon_stats - for ethtool_ops.get_rmon_stats()
 * @stats: from eth_hw_stats_alloc()
 * @rmon: what to fill
 * @ranges: becomes those of the buckets
 */
void eth_hw_stats_get_rmon_stats(struct eth_hw_stats *stats,
				 struct ethtool_rmon_stats *rmon,
				 const struct ethtool_rmon_hist_range **ranges)
{
	const struct eth_hw_stats_desc *desc = stats->desc;
	unsigned int i, rx = 0, tx = 0;

	spin_lock_bh(&stats->lock);
	eth_hw_stats_read(stats);
	eth_hw_stats_fill(stats, ETH_HW_FIRST_RMON, (u64 *)&rmon->stats,
			  ETH_HW_HIST_BIT - ETH_HW_FIRST_RMON);
	for (i = 0; i < desc->n_rows; i++) {
		u64 terms = desc->rows[i].terms;

		if (terms & ETH_HW_HIST && rx < ETHTOOL_RMON_HIST_MAX)
			rmon->hist[rx++] = stats->counters[i].total;
		if (terms & ETH_HW_HIST_TX && tx < ETHTOOL_RMON_HIST_MAX)
			rmon->hist_tx[tx++] = stats->counters[i].total;
	}
	eth_hw_stats_unlock(stats);
	*ranges = desc->ranges;
}
EXPORT_SYMBOL_GPL(eth_hw_stats_get_rmon_stats);

MODULE_DESCRIPTION("Totals of the statistics registers of Ethernet MACs");
MODULE_LICENSE("GPL");
