// SPDX-License-Identifier: GPL-2.0
/*
 * The models: those that this module has, and copies of those that drivers bring along. A name
 * stands for one model until this module is unloaded.
 */
#include <linux/align.h>
#include <linux/err.h>
#include <linux/export.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <macstats/models.h>

#include "internal.h"

/* The copy of a model; its tables and texts are in the same allocation. */
struct macstats_copied_model {
	struct list_head node;
	const struct macstats_model *model;
	u8 memory[] __aligned(__alignof__(u64));
};

/* Only grows, so that readers need no lock. */
static LIST_HEAD(macstats_copied_models);
static DEFINE_MUTEX(macstats_copied_lock);	/* serializes additions */

/* A table of a model: members of struct macstats_model, and of a row. */
struct macstats_model_table {
	size_t rows;		/* the pointer to the first row */
	size_t count;		/* the number of rows, a u16 */
	size_t row_size;
	size_t texts[3];
	unsigned int n_texts;
};

#define MACSTATS_TABLE_TEXT(type, member)	offsetof(struct macstats_##type, member)
#define MACSTATS_MODEL_TABLE(member, type, n_texts_, ...)				\
	{ offsetof(struct macstats_model, member), offsetof(struct macstats_model, n_##member), \
	  sizeof(struct macstats_##type), { __VA_ARGS__ }, n_texts_ }

static const struct macstats_model_table macstats_model_tables[] = {
	MACSTATS_MODEL_TABLE(counters, counter, 3, MACSTATS_TABLE_TEXT(counter, name),
			     MACSTATS_TABLE_TEXT(counter, reg),
			     MACSTATS_TABLE_TEXT(counter, help)),
	MACSTATS_MODEL_TABLE(registers, register, 2, MACSTATS_TABLE_TEXT(register, name),
			     MACSTATS_TABLE_TEXT(register, help)),
	MACSTATS_MODEL_TABLE(fields, field, 2, MACSTATS_TABLE_TEXT(field, name),
			     MACSTATS_TABLE_TEXT(field, help)),
	MACSTATS_MODEL_TABLE(tx_status, status, 2, MACSTATS_TABLE_TEXT(status, name),
			     MACSTATS_TABLE_TEXT(status, help)),
	MACSTATS_MODEL_TABLE(rx_status, status, 2, MACSTATS_TABLE_TEXT(status, name),
			     MACSTATS_TABLE_TEXT(status, help)),
};

/* The texts of a model itself, which may be NULL. */
static const size_t macstats_model_texts[] = {
	offsetof(struct macstats_model, name), offsetof(struct macstats_model, title),
	offsetof(struct macstats_model, datasheet), offsetof(struct macstats_model, variant),
	offsetof(struct macstats_model, note),
};

/* Memory that a model is copied into, or only counted for. */
struct macstats_packer {
	void *memory;		/* zeroed; NULL: count */
	void *address;		/* what the pointers of the copy take for @memory */
	size_t used;
	size_t longest_text;	/* without its 0 */
};

/* Append @size octets of @data, and let the pointer at @place of the memory point to them. */
static void macstats_pack(struct macstats_packer *packer, size_t place, const void *data,
			  size_t size)
{
	if (packer->memory) {
		if (size)
			memcpy(packer->memory + packer->used, data, size);
		*(void **)(packer->memory + place) = size ? packer->address + packer->used : NULL;
	}
	packer->used += ALIGN(size, sizeof(u64));
}

static void macstats_pack_text(struct macstats_packer *packer, size_t place, const char *text)
{
	size_t length = text ? strlen(text) : 0;

	packer->longest_text = max(packer->longest_text, length);
	macstats_pack(packer, place, text, text ? length + 1 : 0);
}

static void macstats_pack_table(struct macstats_packer *packer, const struct macstats_model *model,
				const struct macstats_model_table *table)
{
	const void *rows = *(const void *const *)((const void *)model + table->rows);
	unsigned int n = *(const u16 *)((const void *)model + table->count);
	size_t place = packer->used;
	unsigned int i;
	unsigned int t;

	macstats_pack(packer, table->rows, rows, n * table->row_size);
	for (i = 0; i < n; i++) {
		for (t = 0; t < table->n_texts; t++)
			macstats_pack_text(packer, place + table->texts[t],
					   *(const char *const *)(rows + table->texts[t]));
		rows += table->row_size;
		place += table->row_size;
	}
}

/* Append a model, which keeps all rules, with its tables and texts to an empty packer. */
static void macstats_pack_all(struct macstats_packer *packer, const struct macstats_model *model)
{
	unsigned int i;

	if (packer->memory)
		memcpy(packer->memory, model, sizeof(*model));
	packer->used = ALIGN(sizeof(*model), sizeof(u64));
	for (i = 0; i < ARRAY_SIZE(macstats_model_tables); i++)
		macstats_pack_table(packer, model, &macstats_model_tables[i]);
	for (i = 0; i < ARRAY_SIZE(macstats_model_texts); i++)
		macstats_pack_text(packer, macstats_model_texts[i],
				   *(const char *const *)((const void *)model +
							  macstats_model_texts[i]));
	for (i = 0; i < MACSTATS_MAX_BLOCKS; i++)
		macstats_pack_text(packer, (void *)&model->blocks[i].name - (void *)model,
				   i < model->n_blocks ? model->blocks[i].name : NULL);
	for (i = 0; i < MACSTATS_MAX_REGIONS; i++)
		macstats_pack_text(packer, (void *)&model->regions[i].name - (void *)model,
				   i < model->n_regions ? model->regions[i].name : NULL);
}

/*
 * Copy a model to @memory, or count the octets if that is NULL. @address: what the pointers of
 * the copy take for @memory. Return: the octets.
 */
static size_t macstats_pack_model(const struct macstats_model *model, void *memory, void *address)
{
	struct macstats_packer packer = { .memory = memory, .address = address };

	macstats_pack_all(&packer, model);
	return packer.used;
}

/* Find a counter by its name in the datasheet. Return: its index, or -ENOENT. */
int macstats_model_counter(const struct macstats_model *model, const char *reg)
{
	unsigned int i;

	for (i = 0; i < model->n_counters; i++)
		if (!strcmp(model->counters[i].reg, reg))
			return i;
	return -ENOENT;
}

/* The longest text of a model that keeps all rules, in octets. */
size_t macstats_model_longest_text(const struct macstats_model *model)
{
	struct macstats_packer packer = {};

	macstats_pack_all(&packer, model);
	return packer.longest_text;
}

/* Check whether two models are the same. Return: 1, 0, or -ENOMEM. */
static int macstats_is_same_model(const struct macstats_model *a, const struct macstats_model *b)
{
	size_t size = macstats_pack_model(a, NULL, NULL);
	void *memory;
	int same;

	if (macstats_pack_model(b, NULL, NULL) != size)
		return 0;
	memory = kvcalloc(2, size, GFP_KERNEL);
	if (!memory)
		return -ENOMEM;
	/* Both take their memory for address 0, so that the same pointers are equal. */
	macstats_pack_model(a, memory, NULL);
	macstats_pack_model(b, memory + size, NULL);
	same = !memcmp(memory, memory + size, size);
	kvfree(memory);
	return same;
}

/* Add a copy of a model to the list. Return: the copy, or an ERR_PTR. Caller holds the lock. */
static const struct macstats_model *macstats_model_copy(const struct macstats_model *model)
{
	struct macstats_copied_model *copied;

	copied = kvzalloc(struct_size(copied, memory, macstats_pack_model(model, NULL, NULL)),
			  GFP_KERNEL);
	if (!copied)
		return ERR_PTR(-ENOMEM);
	macstats_pack_model(model, copied->memory, copied->memory);
	copied->model = (const struct macstats_model *)copied->memory;
	list_add_tail_rcu(&copied->node, &macstats_copied_models);
	return copied->model;
}

/**
 * macstats_model_at() - a model by its position
 * @i: the position, from 0. The models of this module come first, then those that drivers
 *	registered a port with
 *
 * Context: any.
 * Return: the model, or NULL after the last.
 */
const struct macstats_model *macstats_model_at(unsigned int i)
{
	const struct macstats_copied_model *copied;

	if (i < MACSTATS_COUNT_OF(macstats_models))
		return macstats_models[i];
	i -= MACSTATS_COUNT_OF(macstats_models);
	list_for_each_entry_lockless(copied, &macstats_copied_models, node)
		if (!i--)
			return copied->model;
	return NULL;
}
EXPORT_SYMBOL_GPL(macstats_model_at);

/**
 * macstats_model_find() - a model by its name
 * @name: the name
 *
 * Context: any.
 * Return: the model, or NULL. It exists until this module is unloaded.
 */
const struct macstats_model *macstats_model_find(const char *name)
{
	const struct macstats_model *model;
	unsigned int i;

	for (i = 0; (model = macstats_model_at(i)); i++)
		if (!strcmp(model->name, name))
			return model;
	return NULL;
}
EXPORT_SYMBOL_GPL(macstats_model_find);

/* Check whether macstats_model_at() returns this model, not only one with the same rows. */
bool macstats_model_is_known(const struct macstats_model *model)
{
	const struct macstats_model *known;
	unsigned int i;

	for (i = 0; (known = macstats_model_at(i)); i++)
		if (known == model)
			return true;
	return false;
}

/*
 * Find the known model that is the same as @model, which keeps all rules, or add a copy. May
 * sleep. Return: the model, -EEXIST if another model has its name, or -ENOMEM.
 */
const struct macstats_model *macstats_model_keep(const struct macstats_model *model)
{
	const struct macstats_model *known;
	int same;

	if (macstats_model_is_known(model))
		return model;
	mutex_lock(&macstats_copied_lock);
	known = macstats_model_find(model->name);
	if (known) {
		same = macstats_is_same_model(model, known);
		if (same <= 0)
			known = ERR_PTR(same ?: -EEXIST);
	} else {
		known = macstats_model_copy(model);
	}
	mutex_unlock(&macstats_copied_lock);
	return known;
}

/* Nothing refers to a copy any more. */
void macstats_models_exit(void)
{
	struct macstats_copied_model *copied;
	struct macstats_copied_model *next;

	list_for_each_entry_safe(copied, next, &macstats_copied_models, node)
		kvfree(copied);
}
