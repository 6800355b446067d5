// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Works out what frames add to the counters of a MAC, from what `macstats model NAME --json`
// prints. The rules are those of shared/macstats/emulate/; test/site compares both. Nothing
// here knows a model or a page.
'use strict';

const macstatsCount = (() => {
	const FRAME_MIN = 64;
	const FRAME_MAX = 65535;
	const FCS = 4;
	const TAG = 4;
	const ATTEMPT_LIMIT = 16;
	const FRAMES_A_POLL = 64;

	// ---- the device: options, and registers by their offsets

	const lowestBit = mask => 31 - Math.clz32(mask & -mask);

	// The bits of @bit, right aligned; @otherwise if the model has no such bits.
	function stored(device, bit, otherwise) {
		if (!bit)
			return otherwise;
		return ((device.registers.get(bit.offset) ?? 0) & bit.mask) >>> lowestBit(bit.mask);
	}

	// A new device. @setup: { options: { name: word }, registers: { name: value } }
	function makeDevice(model, setup) {
		const device = { model, options: {}, registers: new Map() };

		for (const [name, words] of Object.entries(model.option_values))
			device.options[name] = setup.options?.[name] ??
				(name.endsWith('_statistics') ? setup.options?.statistics : undefined) ??
				words[0];
		for (const register of model.registers)
			device.registers.set(register.offset,
					     setup.registers?.[register.name] ?? register.reset);
		return device;
	}

	function isBuilt(device, block) {
		const own = device.options[block.option];
		const all = device.options.statistics;

		return block.option === 'statistics' ? all === 'on' : own === 'on';
	}

	function conditionHolds(device, condition) {
		if (condition.option)
			return device.options[condition.option] === condition.value;
		return stored(device, condition, 0) !== 0;
	}

	const isHalfDuplex = device => device.options.duplex === 'half';

	function otherwiseMaxFrame(device) {
		const chosen = device.model.max_frame_switch;

		if (chosen)
			return stored(device, chosen, 0) ? chosen.on : chosen.off;
		return device.model.default_max_frame ?? FRAME_MAX;
	}

	// The bits of a transmit descriptor that registers set for all packets.
	function copiedStatus(device) {
		let status = 0;

		for (const field of device.model.tx_status)
			if (field.copy)
				status |= (stored(device, field.copy, 0) & bitsMask(field.bits)) << field.lsb;
		return status >>> 0;
	}

	// The settings that registers make for counting.
	function settingsOf(device) {
		const model = device.model;
		const otherwise = otherwiseMaxFrame(device);
		const owned = stored(device, model.max_frame_enable, 1) !== 0;
		const now = {
			maxRx: owned ? stored(device, model.max_frame_rx, otherwise) : otherwise,
			maxTx: owned ? stored(device, model.max_frame_tx, otherwise) : otherwise,
			attempts: stored(device, model.retry_limit, ATTEMPT_LIMIT - 1) + 1,
			flowControl: stored(device, model.flow_control, 1) !== 0,
			txConfig: copiedStatus(device),
		};

		now.maxSet = now.maxTx;
		if (stored(device, model.any_length_tx, 0))
			now.maxTx = FRAME_MAX;
		return now;
	}

	// The settings for a frame: the first descriptor of its packet may override a register.
	function settingsFor(device, frame) {
		const now = settingsOf(device);

		if (device.model.descriptor?.huge && frame.direction === 'tx' &&
		    frame.origin === 'software' && frame.huge !== null)
			now.maxTx = frame.huge ? FRAME_MAX : now.maxSet;
		return now;
	}

	// ---- the frame, as the MAC sees it

	const bitsMask = bits => bits >= 32 ? 0xffffffff : (1 << bits) - 1;

	// A tagged MAC control frame is data: 88-08 is not where a MAC looks for it.
	const kindOnWire = frame => frame.vlan_tags ? 'data' : frame.kind;

	const isOwnPause = frame => frame.direction === 'tx' && frame.origin === 'mac' &&
		kindOnWire(frame) === 'pause';

	const hasAny = (errors, names) => names.some(name => errors.includes(name));

	// Why the MAC cannot have such a frame, or null.
	function rejection(model, frame) {
		const descriptor = model.descriptor;

		if (model.ieee_own_pause && isOwnPause(frame) &&
		    (frame.length !== FRAME_MIN || frame.destination !== 'multicast'))
			return `Pause frames that this MAC makes have ${FRAME_MIN} octets and a ` +
				'multicast destination.';
		if (frame.descriptors > 1 && !descriptor)
			return 'This MAC has no descriptors with a status.';
		for (const name of ['append_crc', 'huge']) {
			if (frame[name] === null)
				continue;
			if (!descriptor?.[name])
				return 'The descriptors of this MAC have no such bit.';
			if (frame.direction !== 'tx' || frame.origin !== 'software')
				return 'Only frames that software transmits have such a descriptor.';
		}
		return null;
	}

	function frameSeen(device, now, given) {
		const model = device.model;
		const frame = { ...given, errors: [...given.errors] };
		const drop = (...names) => {
			frame.errors = frame.errors.filter(name => !names.includes(name));
		};

		if (frame.direction === 'tx' && !isHalfDuplex(device)) {
			frame.collisions = 0;
			frame.deferred = false;
			drop('late_collision', 'excessive_collisions', 'excessive_deferral', 'carrier_loss');
		}
		if (model.ieee_own_pause && isOwnPause(given)) {
			frame.collisions = 0;
			frame.errors = [];
		}
		if (frame.collisions >= now.attempts) {
			if (model.retry_limit)
				drop('late_collision');
			if (!hasAny(frame.errors, ['late_collision', 'excessive_collisions']))
				frame.errors.push('excessive_collisions');
		}
		if (frame.errors.includes('excessive_collisions') &&
		    !frame.errors.includes('late_collision'))
			frame.collisions = now.attempts;
		return frame;
	}

	// The transmitter pads a frame, or drops it (0).
	function lengthOnWire(model, frame) {
		if (frame.direction !== 'tx')
			return frame.length;
		if (frame.length < model.tx_shortest)
			return 0;
		return Math.max(frame.length, model.tx_pad_to);
	}

	// A late collision is one more than those which are given.
	const collisionCount = frame =>
		frame.collisions + (frame.errors.includes('late_collision') ? 1 : 0);

	const maxFrame = (now, frame) => frame.direction === 'rx' ? now.maxRx : now.maxTx;

	const maxLength = (model, now, frame) =>
		maxFrame(now, frame) + (frame.vlan_tags && model.tag_over_max ? TAG : 0);

	function longestButVery(model, max) {
		if (!model.very_long || max > (model.very_long.limit ?? 0))
			return FRAME_MAX;
		return Math.max(2 * max, model.very_long.least);
	}

	function excessOf(model, now, frame, length) {
		if (length <= maxLength(model, now, frame))
			return 'within_max';
		return length > longestButVery(model, maxFrame(now, frame)) ? 'very_long' : 'over_max';
	}

	function collisionClass(frame) {
		const count = collisionCount(frame);

		if (frame.errors.includes('excessive_collisions'))
			return 'attempt_limit';
		if (!count)
			return 'none';
		if (count === 1)
			return 'one';
		return count < ATTEMPT_LIMIT ? 'several' : 'attempt_limit';
	}

	function sizeClass(model, length, tagged) {
		const { edges, tagged_edges: raised } = model.sizes;

		return edges.filter((edge, i) =>
			length >= edge + (tagged && raised.includes(i) ? TAG : 0)).length;
	}

	function classify(device, now, frame, length) {
		const model = device.model;

		return {
			direction: frame.direction,
			destination: frame.destination,
			kind: kindOnWire(frame),
			origin: !isOwnPause(frame) ? 'software' :
				isHalfDuplex(device) ? 'forced_collision' : 'mac',
			tags: ['untagged', 'tagged', 'double_tagged'][frame.vlan_tags],
			excess: excessOf(model, now, frame, length),
			collisions: collisionClass(frame),
			deferred: frame.deferred,
			size: sizeClass(model, length, frame.vlan_tags > 0),
			errors: frame.errors,
		};
	}

	// ---- rules of rows

	function whenMatches(device, when, it) {
		const among = (names, name) => !names || names.includes(name);

		return when.direction.includes(it.direction) &&
			among(when.destination, it.destination) &&
			among(when.kind, it.kind) &&
			(when.origin ?? ['software', 'mac']).includes(it.origin) &&
			among(when.tags, it.tags) &&
			among(when.excess, it.excess) &&
			among(when.collisions, it.collisions) &&
			among(when.sizes, it.size) &&
			(!when.deferred || it.deferred) &&
			(!when.errors || hasAny(it.errors, when.errors)) &&
			!hasAny(it.errors, when.no_errors ?? []) &&
			(when.with ?? []).every(condition => conditionHolds(device, condition)) &&
			!(when.without ?? []).some(condition => conditionHolds(device, condition));
	}

	const anyMatches = (device, list, it) => list.some(when => whenMatches(device, when, it));

	function payload(device, frame, length) {
		const { data, control, variant_control: variant } = device.model.overhead;
		let overhead = data;

		if (kindOnWire(frame) !== 'data')
			overhead = variant !== null && device.options.variant === 'on' ? variant : control;
		else if (device.options.vlan_detection === 'on')
			overhead += frame.vlan_tags * TAG;
		return Math.max(length - overhead, 0);
	}

	// Octets on the wire: an attempt that collides in time has sent a slot time of the frame.
	function wireOctets(device, frame, length) {
		const attempt = Math.min(length, FRAME_MIN);
		const late = frame.errors.includes('late_collision');
		const collisions = collisionCount(frame) - (late ? 1 : 0);
		const givesUp = [];

		if (frame.direction === 'rx' &&
		    (!settingsOf(device).flowControl || !isHalfDuplex(device)))
			return length;
		if (!late)
			givesUp.push('excessive_collisions');
		if (device.model.deferral_aborts)
			givesUp.push('excessive_deferral');
		return collisions * attempt + (hasAny(frame.errors, givesUp) ? 0 : length);
	}

	function amountOf(device, counter, frame, length) {
		switch (counter.amount) {
		case 'length':
			return Math.min(length, counter.frame_limit ?? length);
		case 'payload':
			return payload(device, frame, length);
		case 'wire':
			return wireOctets(device, frame, length);
		case 'collisions':
			return collisionCount(frame);
		case 'early_collisions':
			return collisionCount(frame) - (frame.errors.includes('late_collision') ? 1 : 0);
		default:
			return 1;
		}
	}

	const sizeLow = (model, size) => size ? model.sizes.edges[size - 1] : 0;

	// A good frame, after which a lagging counter shows the events that it counted.
	const isGood = (model, it) => it.direction === 'rx' && it.excess === 'within_max' &&
		it.errors.every(name => model.good_despite.includes(name)) &&
		sizeLow(model, it.size) >= FRAME_MIN;

	// The part of @count events that a lagging counter shows at the end.
	function shownOf(counter, count, good) {
		let pending = 0;
		let shown = 0;
		let shownAt = 0;
		let seen = 0;

		const settle = () => {
			if (pending && seen >= shownAt) {
				shown += pending;
				pending = 0;
			}
		};

		if (!counter.good_frames)
			return count;
		for (let left = count; left > 0; left -= FRAMES_A_POLL) {
			const some = Math.min(left, FRAMES_A_POLL);
			seen += good ? some : 0;
			settle();
			pending += some;
			shownAt = seen + counter.good_frames;
			settle();
		}
		return shown;
	}

	// ---- descriptors

	function statusOf(device, fields, now, frame) {
		const length = lengthOnWire(device.model, frame);
		const it = classify(device, now, frame, length);
		let status = 0;

		for (const field of fields) {
			let value = anyMatches(device, field.when, it) ? 1 : 0;
			if (field.collisions)
				value = collisionCount(frame);
			if (field.octets)
				value = length;
			status |= (value & bitsMask(field.bits)) << field.lsb;
		}
		for (const field of fields)
			if (field.unless && !(status & field.unless))
				status |= 1 << field.lsb;
		return status >>> 0;
	}

	// The status of a packet as its driver reads it, and the amounts that it may add.
	function transmitted(device, given) {
		const bits = device.model.descriptor;
		const now = settingsFor(device, given);
		const frame = frameSeen(device, now, given);
		const controls = bits.append_crc | bits.huge;
		const status = statusOf(device, device.model.tx_status, now, frame);
		const own = given.append_crc !== null || given.huge !== null;
		const control = (bit, choice) => choice === null ? now.txConfig & bit : choice ? bit : 0;
		const first = own ? bits.override | control(bits.append_crc, given.append_crc) |
			control(bits.huge, given.huge) : 0;
		const last = given.descriptors > 1 ?
			status | bits.last | (~first & (bits.override | controls)) :
			status | bits.last | bits.first | first;

		return {
			status: ((last & ~controls) |
				 ((first & bits.override ? first : now.txConfig) & controls)) >>> 0,
			octets: Math.max(lengthOnWire(device.model, frame) - FCS, 0),
			attempts: now.attempts,
		};
	}

	// The statuses of the descriptors of a received frame: only the last one is valid.
	function received(device, given) {
		const bits = device.model.descriptor;
		const now = settingsOf(device);
		const status = statusOf(device, device.model.rx_status, now, frameSeen(device, now, given));
		const list = [];

		for (let i = 0; i < given.descriptors; i++) {
			const first = i ? 0 : bits.first;
			list.push((i + 1 < given.descriptors ?
				   (~status & ~(bits.first | bits.last)) | first :
				   status | bits.last | first) >>> 0);
		}
		return list;
	}

	function numberIn(fields, member, status) {
		const field = fields.find(each => each[member]);

		return field ? status >>> field.lsb & bitsMask(field.bits) : 0;
	}

	const hasStatus = (from, status) => ((status & from.mask) >>> 0) === from.value;

	function transmittedAmount(model, from, packet) {
		const collisions = numberIn(model.tx_status, 'collisions', packet.status);

		if (from.descriptor !== 'transmit' || !hasStatus(from, packet.status))
			return 0;
		if (from.adds === 'octets')
			return packet.octets;
		if (from.adds === 'attempts')
			return packet.attempts;
		if (collisions < from.least_collisions || collisions > (from.most_collisions ?? Infinity))
			return 0;
		return from.adds === 'collisions' ? collisions : 1;
	}

	function receivedAmount(model, from, status) {
		if (from.descriptor !== 'receive' || !hasStatus(from, status))
			return 0;
		return from.adds === 'octets' ? numberIn(model.rx_status, 'octets', status) : 1;
	}

	function isDescribed(device, given) {
		const now = settingsOf(device);
		const frame = frameSeen(device, now, given);

		return device.model.rx_status.length > 0 && given.direction === 'rx' &&
			anyMatches(device, device.model.rx_described,
				   classify(device, now, frame, frame.length));
	}

	// What one frame adds to the software counters: [[counter, amount]]
	function softwareAmounts(device, frame) {
		const model = device.model;
		const counters = model.counters.filter(counter => counter.status);
		const amounts = [];

		if (model.tx_status.length && frame.direction === 'tx' && frame.origin === 'software' &&
		    lengthOnWire(model, frame)) {
			const packet = transmitted(device, frame);
			for (const counter of counters)
				amounts.push([counter, transmittedAmount(model, counter.status, packet)]);
		}
		if (isDescribed(device, frame))
			for (const status of received(device, frame))
				for (const counter of counters)
					amounts.push([counter, receivedAmount(model, counter.status, status)]);
		return amounts;
	}

	// What frames alike add to the registers: [[counter, amount, amount not shown yet]]
	function registerAmounts(device, given, count) {
		const model = device.model;
		const now = settingsFor(device, given);
		const frame = frameSeen(device, now, given);
		let length = lengthOnWire(model, frame);
		const it = classify(device, now, frame, length);
		const good = isGood(model, it);
		const amounts = [];

		if (!length || (isOwnPause(frame) && !now.flowControl))
			return amounts;
		if (model.cut_at_max && frame.direction === 'tx')
			length = Math.min(length, maxLength(model, now, frame));
		for (const counter of model.counters) {
			if (!anyMatches(device, counter.when, it))
				continue;
			const each = amountOf(device, counter, frame, length);
			const shown = shownOf(counter, count, good);
			amounts.push([counter, each * shown, each * (count - shown)]);
		}
		return amounts;
	}

	// ---- standard statistics

	// "rtnl/tx_bytes*14": the counter's total times 14 is a part of rtnl/tx_bytes.
	function parseTerm(word) {
		const [statistic, factor] = word.split('*');
		const [group, name] = statistic.split('/');

		return { group, name, factor: factor === undefined ? 1 : Number(factor) };
	}

	const isHistogram = name => name.endsWith('NtoM');

	function bucketOf(model, counter, max, value) {
		const sizes = counter.when[0].sizes;
		const low = sizeLow(model, sizes[0]);
		const end = model.sizes.edges[sizes[sizes.length - 1]];

		return { low, high: end === undefined ? Math.max(max, low) : end - 1, val: value };
	}

	function standardOf(device, totals, isAbsent) {
		const model = device.model;
		const max = settingsOf(device).maxRx;
		const groups = {};
		const lacking = [];

		for (const counter of model.counters)
			for (const word of counter.standard) {
				const { group, name, factor } = parseTerm(word);
				const members = groups[group] ??= {};
				if (isHistogram(name)) {
					if (!isAbsent(counter))
						(members[name] ??= []).push(
							bucketOf(model, counter, max, totals.get(counter) ?? 0));
					continue;
				}
				if (isAbsent(counter))
					lacking.push([group, name]);
				members[name] = (members[name] ?? 0) + factor * (totals.get(counter) ?? 0);
			}
		for (const [group, name] of lacking)
			delete groups[group][name];
		for (const [group, members] of Object.entries(groups)) {
			for (const name of Object.keys(members))
				if (!isHistogram(name))
					members[name] = Math.max(members[name], 0);
			if (!Object.keys(members).length)
				delete groups[group];
		}
		return groups;
	}

	/*
	 * What frames add on a new device.
	 *
	 * @model: the output of `macstats model NAME --json`
	 * @setup: { options: { name: word }, registers: { name: value } }, each optional
	 * @frame: as "frames" in the output of `macstats count --json`
	 *
	 * Returns { counters: { name: value }, pending: { name: value }, standard }, all above 0;
	 * "standard" is that of `macstats count --json`, and "pending" has the counters that show
	 * their counts after further good frames. Or { rejected: reason }.
	 */
	function count(model, setup, frame) {
		const device = makeDevice(model, setup);
		const blocks = new Map(model.blocks.map(block => [block.name, block]));
		const isAbsent = counter => !isBuilt(device, blocks.get(counter.block)) ||
			(counter.revisions && !counter.revisions.includes(device.options.revision));
		const totals = new Map();
		const pending = {};
		const rejected = rejection(model, frame);

		if (rejected)
			return { rejected };
		for (const [counter, amount, later] of [
			...registerAmounts(device, frame, frame.count),
			...softwareAmounts(device, frame).map(([counter, amount]) =>
				[counter, amount * frame.count, 0]),
		]) {
			if (isAbsent(counter))
				continue;
			if (amount)
				totals.set(counter, (totals.get(counter) ?? 0) + amount);
			if (later)
				pending[counter.name] = later;
		}
		return {
			counters: Object.fromEntries(model.counters.filter(counter => totals.has(counter))
				.map(counter => [counter.name, totals.get(counter)])),
			pending,
			standard: standardOf(device, totals, isAbsent),
		};
	}

	/*
	 * The bits of registers that change the result: [{ register, field, mask, lsb, bits, reset,
	 * description }]
	 */
	function knobs(model) {
		const conditions = [
			...model.settings, model.max_frame_rx, model.max_frame_tx, model.any_length_tx,
			model.max_frame_switch, model.max_frame_enable, model.flow_control, model.retry_limit,
			...model.tx_status.map(field => field.copy),
		].filter(bit => bit);
		const found = new Map();

		for (const bit of conditions) {
			const register = model.registers.find(each => each.offset === bit.offset);
			const lsb = lowestBit(bit.mask);
			const field = register.fields.find(each => each.lsb === lsb);
			const bits = 32 - Math.clz32(bit.mask >>> lsb);
			if (register.access !== 'ro')
				found.set(`${bit.offset}/${bit.mask}`, {
					register: register.name, field: field?.name ?? register.name,
					mask: bit.mask, lsb, bits,
					reset: (register.reset & bit.mask) >>> lsb,
					description: field?.description ?? register.description,
				});
		}
		return [...found.values()];
	}

	return { count, knobs };
})();

if (typeof module !== 'undefined')
	module.exports = macstatsCount;
