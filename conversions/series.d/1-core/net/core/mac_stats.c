// SPDX-License-Identifier: GPL-2.0
/*
 * 64-bit totals of the statistics registers of an Ethernet MAC.
 *
 * The registers are memory-mapped: whoever asks for statistics reads them, in
 * atomic context, and so does a work before a counter wraps or fills. Nobody
 * waits for a bus, and nothing here needs RTNL or the lock of a net device.
 */
#include <linux/device.h>
#include <linux/export.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include <net/mac_stats.h>

/* Each statistic has a bit: the last one is that of hist_tx. */
static_assert(MAC_STATS_FIRST_RMON +
	      (offsetof(struct ethtool_rmon_stats, hist_tx) -
	       offsetof(struct ethtool_rmon_stats, stats)) / sizeof(u64) < 64);

struct mac_stats_counter {
	u64 total;
	u64 old;	/* what the register held after the last read */
};

struct mac_stats {
	struct device *dev;
	const struct mac_stats_desc *desc;
	void *priv;
	struct delayed_work work;
	/*
	 * Serialises accesses to the registers, since a read may clear them,
	 * and protects all below.
	 */
	spinlock_t lock;
	bool running;	/* the registers can be read */
	bool baseline;	/* the next read only takes the values as @old */
	struct mac_stats_counter counters[];	/* of each row */
};

/* account.h */

static u64 mac_stats_value(const struct mac_stats *stats,
			   const struct mac_stats_row *row)
{
	const struct mac_stats_desc *desc = stats->desc;
	u64 value = desc->read(stats->priv, row->reg);

	if (row->mask > U32_MAX)
		value |= (u64)desc->read(stats->priv, row->reg + 4) << 32;
	return value & row->mask;
}

/* Bring the totals up to date. */
static void mac_stats_read(struct mac_stats *stats)
{
	const struct mac_stats_desc *desc = stats->desc;
	unsigned int i;

	lockdep_assert_held(&stats->lock);

	if (!stats->running || (desc->hold && desc->hold(stats->priv, true)))
		return;
	for (i = 0; i < desc->n_rows; i++) {
		const struct mac_stats_row *row = &desc->rows[i];
		struct mac_stats_counter *counter = &stats->counters[i];
		u64 value = mac_stats_value(stats, row);
		u64 left = row->flags & MAC_STATS_CLEARS ? 0 : value;

		if (stats->baseline)
			counter->old = left;
		else if (mac_stats_accumulate(row, &counter->total,
					      &counter->old, value, left))
			dev_warn_ratelimited(stats->dev,
					     "counter %#x went back to %llu\n",
					     row->reg, value);
	}
	stats->baseline = false;
	if (desc->hold)
		desc->hold(stats->priv, false);
}

static void mac_stats_queue(struct mac_stats *stats)
{
	queue_delayed_work(system_power_efficient_wq, &stats->work,
			   msecs_to_jiffies(stats->desc->interval_ms));
}

static void mac_stats_work(struct work_struct *work)
{
	struct mac_stats *stats = container_of(to_delayed_work(work),
					       struct mac_stats, work);

	spin_lock_bh(&stats->lock);
	mac_stats_read(stats);
	if (stats->running)
		mac_stats_queue(stats);
	spin_unlock_bh(&stats->lock);
}

static void mac_stats_cancel(void *data)
{
	struct mac_stats *stats = data;

	mac_stats_stop(stats);
	cancel_delayed_work_sync(&stats->work);
}

/**
 * devm_mac_stats_alloc - get totals for the counters of a MAC
 * @dev: the device that has the registers
 * @desc: describes them; must exist as long as @dev is bound
 * @priv: passed to the functions of @desc
 *
 * The totals are 0, and no register is read before mac_stats_start(). The
 * driver stops them before @priv ends.
 *
 * Return: the totals, or an error pointer
 */
struct mac_stats *devm_mac_stats_alloc(struct device *dev,
				       const struct mac_stats_desc *desc,
				       void *priv)
{
	struct mac_stats *stats;
	int err;

	stats = devm_kzalloc(dev, struct_size(stats, counters, desc->n_rows),
			     GFP_KERNEL);
	if (!stats)
		return ERR_PTR(-ENOMEM);

	stats->dev = dev;
	stats->desc = desc;
	stats->priv = priv;
	spin_lock_init(&stats->lock);
	INIT_DELAYED_WORK(&stats->work, mac_stats_work);

	err = devm_add_action_or_reset(dev, mac_stats_cancel, stats);
	return err ? ERR_PTR(err) : stats;
}
EXPORT_SYMBOL_GPL(devm_mac_stats_alloc);

/**
 * mac_stats_start - the registers count, and can be read
 * @stats: from devm_mac_stats_alloc()
 *
 * What they hold now has been counted before, or is left from a reset: it is
 * in no total. To be called after each reset of the hardware, which a
 * mac_stats_stop() preceded.
 *
 * Context: any but hard interrupts, with interrupts on
 */
void mac_stats_start(struct mac_stats *stats)
{
	spin_lock_bh(&stats->lock);
	stats->running = true;
	stats->baseline = true;
	mac_stats_read(stats);
	mac_stats_queue(stats);
	spin_unlock_bh(&stats->lock);
}
EXPORT_SYMBOL_GPL(mac_stats_start);

/**
 * mac_stats_stop - read the registers a last time
 * @stats: from devm_mac_stats_alloc()
 *
 * To be called before the hardware is reset or loses its clock. After that no
 * register is read, and the totals stay.
 *
 * Context: any but hard interrupts, with interrupts on
 */
void mac_stats_stop(struct mac_stats *stats)
{
	spin_lock_bh(&stats->lock);
	mac_stats_read(stats);
	stats->running = false;
	spin_unlock_bh(&stats->lock);
}
EXPORT_SYMBOL_GPL(mac_stats_stop);

/**
 * mac_stats_count - for ethtool_ops.get_sset_count()
 * @stats: from devm_mac_stats_alloc()
 *
 * Return: the number of strings and of values
 */
unsigned int mac_stats_count(const struct mac_stats *stats)
{
	return stats->desc->n_rows;
}
EXPORT_SYMBOL_GPL(mac_stats_count);

/**
 * mac_stats_get_strings - for ethtool_ops.get_strings()
 * @stats: from devm_mac_stats_alloc()
 * @data: where the strings go; then points behind them
 */
void mac_stats_get_strings(const struct mac_stats *stats, u8 **data)
{
	unsigned int i;

	for (i = 0; i < stats->desc->n_rows; i++) {
		memcpy(*data, stats->desc->rows[i].name, ETH_GSTRING_LEN);
		*data += ETH_GSTRING_LEN;
	}
}
EXPORT_SYMBOL_GPL(mac_stats_get_strings);

/**
 * mac_stats_get_ethtool_stats - for ethtool_ops.get_ethtool_stats()
 * @stats: from devm_mac_stats_alloc()
 * @data: where the totals go
 */
void mac_stats_get_ethtool_stats(struct mac_stats *stats, u64 *data)
{
	unsigned int i;

	spin_lock_bh(&stats->lock);
	mac_stats_read(stats);
	for (i = 0; i < stats->desc->n_rows; i++)
		data[i] = stats->counters[i].total;
	spin_unlock_bh(&stats->lock);
}
EXPORT_SYMBOL_GPL(mac_stats_get_ethtool_stats);

/* A statistic without any counter stays not set, which is not 0. */
static void mac_stats_add(u64 *value, u64 total)
{
	*value = *value == ETHTOOL_STAT_NOT_SET ? total : *value + total;
}

/* Add the totals to the @n statistics that have the bits from @first on. */
static void mac_stats_fill(const struct mac_stats *stats, unsigned int first,
			   u64 *values, unsigned int n)
{
	unsigned int i, j;

	for (i = 0; i < stats->desc->n_rows; i++)
		for (j = 0; j < n; j++)
			if (stats->desc->rows[i].terms & BIT_ULL(first + j))
				mac_stats_add(&values[j],
					      stats->counters[i].total);
}

static void mac_stats_get(struct mac_stats *stats, unsigned int first,
			  u64 *values, size_t size)
{
	spin_lock_bh(&stats->lock);
	mac_stats_read(stats);
	mac_stats_fill(stats, first, values, size / sizeof(*values));
	spin_unlock_bh(&stats->lock);
}

/**
 * mac_stats_get_stats64 - for net_device_ops.ndo_get_stats64()
 * @stats: from devm_mac_stats_alloc()
 * @link: with what the driver has counted itself; the errors that the
 *	hardware has counted are added
 */
void mac_stats_get_stats64(struct mac_stats *stats,
			   struct rtnl_link_stats64 *link)
{
	mac_stats_get(stats, MAC_STATS_FIRST_RTNL, &link->rx_errors,
		      sizeof(*link) - offsetof(typeof(*link), rx_errors));
}
EXPORT_SYMBOL_GPL(mac_stats_get_stats64);

/**
 * mac_stats_get_eth_mac_stats - for ethtool_ops.get_eth_mac_stats()
 * @stats: from devm_mac_stats_alloc()
 * @mac: what to fill
 */
void mac_stats_get_eth_mac_stats(struct mac_stats *stats,
				 struct ethtool_eth_mac_stats *mac)
{
	mac_stats_get(stats, MAC_STATS_FIRST_MAC, (u64 *)&mac->stats,
		      sizeof(mac->stats));
}
EXPORT_SYMBOL_GPL(mac_stats_get_eth_mac_stats);

/**
 * mac_stats_get_eth_phy_stats - for ethtool_ops.get_eth_phy_stats()
 * @stats: from devm_mac_stats_alloc()
 * @phy: what to fill
 */
void mac_stats_get_eth_phy_stats(struct mac_stats *stats,
				 struct ethtool_eth_phy_stats *phy)
{
	mac_stats_get(stats, MAC_STATS_FIRST_PHY, (u64 *)&phy->stats,
		      sizeof(phy->stats));
}
EXPORT_SYMBOL_GPL(mac_stats_get_eth_phy_stats);

/**
 * mac_stats_get_pause_stats - for ethtool_ops.get_pause_stats()
 * @stats: from devm_mac_stats_alloc()
 * @pause: what to fill
 */
void mac_stats_get_pause_stats(struct mac_stats *stats,
			       struct ethtool_pause_stats *pause)
{
	mac_stats_get(stats, MAC_STATS_FIRST_PAUSE, (u64 *)&pause->stats,
		      sizeof(pause->stats));
}
EXPORT_SYMBOL_GPL(mac_stats_get_pause_stats);

/**
 * mac_stats_get_rmon_stats - for ethtool_ops.get_rmon_stats()
 * @stats: from devm_mac_stats_alloc()
 * @rmon: what to fill
 * @ranges: becomes those of the buckets
 */
void mac_stats_get_rmon_stats(struct mac_stats *stats,
			      struct ethtool_rmon_stats *rmon,
			      const struct ethtool_rmon_hist_range **ranges)
{
	const struct mac_stats_desc *desc = stats->desc;
	unsigned int rx = 0, tx = 0, i;

	spin_lock_bh(&stats->lock);
	mac_stats_read(stats);
	mac_stats_fill(stats, MAC_STATS_FIRST_RMON, (u64 *)&rmon->stats,
		       (offsetof(typeof(*rmon), hist) -
			offsetof(typeof(*rmon), stats)) / sizeof(u64));
	for (i = 0; i < desc->n_rows; i++) {
		u64 terms = desc->rows[i].terms;

		if (terms & MAC_STATS_RMON(hist) && rx < ETHTOOL_RMON_HIST_MAX)
			rmon->hist[rx++] = stats->counters[i].total;
		if (terms & MAC_STATS_RMON(hist_tx) &&
		    tx < ETHTOOL_RMON_HIST_MAX)
			rmon->hist_tx[tx++] = stats->counters[i].total;
	}
	spin_unlock_bh(&stats->lock);
	*ranges = desc->ranges;
}
EXPORT_SYMBOL_GPL(mac_stats_get_rmon_stats);

MODULE_DESCRIPTION("Totals of the statistics registers of Ethernet MACs");
MODULE_LICENSE("GPL");
