// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The two forms of a MAC's page: what the described frame counts on a new device, whenever an input
// changes; and a device that keeps its state, with its registers and totals.
'use strict';

(async () => {
	const form = document.getElementById('calculator');
	const panel = document.getElementById('mac');
	const model = form.dataset.model;
	const LOG_LINES = 12;

	function element(name, properties, ...children) {
		const made = Object.assign(document.createElement(name), properties);

		made.append(...children);
		return made;
	}

	// ---- settings and frame, from the form

	const inputs = prefix => [...form.querySelectorAll(`[name^="${prefix}:"]`)];
	const number = input => input.type === 'checkbox' ? Number(input.checked) : Number(input.value);

	// Switch a device on with the settings of the form.
	function powerUp(mac, seed) {
		mac.powerUp(model, options => inputs('option').reduce((word, input) =>
			(word & ~input.name.split(':')[1]) | input.value, options), seed);
		for (const input of inputs('register')) {
			const [address, mask] = input.name.split(':').slice(1).map(BigInt);
			const bits = BigInt(number(input)) * (mask & -mask);
			mac.write(Number(address), (mac.read(Number(address)) & ~mask) | (bits & mask));
		}
	}

	// The arguments of MacstatsMac.send(): lists of the form are in the order of the header's bits.
	function frameOf() {
		const named = name => form.querySelector(`[name=${name}]`);
		const place = name => named(name)?.selectedIndex ?? 0;
		const bit = name => 1 << place(name);
		const value = name => named(name) ? number(named(name)) : 0;
		const errors = [...form.elements.errors].reduce((mask, box, index) =>
			mask | box.checked << index, 0);

		return [bit('direction'), bit('destination'), bit('kind'), bit('origin'), place('vlan_tags'),
			value('length'), errors, value('collisions'), value('deferred'), value('descriptors'),
			place('append_crc'), place('huge')];
	}

	// ---- what a device counts

	function table(caption, heading, rows) {
		const line = (cells, name) => element('tr', {}, ...cells.map(cell =>
			element(name, {}, cell)));

		return element('div', { className: 'table-wrapper' },
			       element('table', { className: 'docutils' },
				       element('caption', {}, caption),
				       element('thead', {}, line(heading, 'th')),
				       element('tbody', {}, ...rows.map(row => line(row, 'td')))));
	}

	const grouped = value => value.toLocaleString('en').replaceAll(',', '\u202f');
	const code = text => element('code', {}, text);
	const rejected = text => element('p', { className: 'rejected' }, text);

	function counterRow({ name, help, total }) {
		const href = `#${name.replaceAll('_', '-')}`;

		return [element('a', { href }, code(name)), grouped(total), help];
	}

	function results(mac, amount, nothing) {
		const counters = mac.counters();
		const counted = counters.filter(counter => counter.total);
		const standard = mac.standard().filter(row => row.value);
		const parts = [counted.length ?
			table('Counters', ['Counter', amount, 'Counts'], counted.map(counterRow)) :
			element('p', {}, nothing)];

		if (standard.length)
			parts.push(table('Standard statistics', ['Statistic', amount],
					 standard.map(row => [code(row.name), grouped(row.value)])));
		for (const { name, pending, goodFrames: good } of counters.filter(each => each.pending))
			parts.push(element('p', {}, code(name),
				` adds ${grouped(pending)} more after ${good} good frame${good > 1 ? 's' : ''}.`));
		return parts;
	}

	function invalid(at) {
		const input = at.querySelector(':invalid:not(fieldset)');
		const range = input.min ? `${input.min} to ${input.max}` : input.title;

		return `${input.closest('label').textContent.trim()}: ${range}`;
	}

	// ---- the calculator

	const [fresh, kept] = await Promise.all([1, 2].map(() => MacstatsMac.make(
		document.getElementById('macstats-mac').textContent)));

	function counted() {
		if (!form.checkValidity())
			return [rejected(invalid(form))];
		try {
			powerUp(fresh, 0n);
			fresh.count(frameOf(), Number(form.elements.count.value));
			return results(fresh, 'Adds', 'No counter of this MAC shows these frames.');
		} catch (error) {
			return [rejected(`This MAC has no such frame: ${error.message}.`)];
		}
	}

	function update() {
		document.getElementById('calculated').replaceChildren(...counted());
	}

	// ---- the device that keeps its state

	const place = () => panel.elements.place.selectedOptions[0];
	const hex = value => `0x${value.toString(16)}`;

	function needValid(at) {
		if (!at.checkValidity())
			throw new Error(invalid(at));
	}

	// What each button does, and what the log says about it.
	const actions = {
		power() {
			powerUp(kept, panel.elements.random.checked ? BigInt(Date.now()) : 0n);
			return 'switched on';
		},
		send() {
			const count = Number(form.elements.count.value);

			needValid(form);
			kept.send(frameOf(), count);
			return `${count} frame${count > 1 ? 's' : ''} passed`;
		},
		poll() {
			kept.poll();
			return `polled${kept.reason && `: ${kept.reason}`}`;
		},
		read() {
			const value = kept.read(Number(place().value));

			panel.elements.value.value = hex(value);
			return `${place().text} reads ${hex(value)}`;
		},
		write() {
			needValid(panel);
			const value = BigInt(panel.elements.value.value);

			kept.write(Number(place().value), value);
			return `${hex(value)} written to ${place().text}`;
		},
	};

	function act(event) {
		const log = document.getElementById('mac-log');
		let line;

		event.preventDefault();
		try {
			line = element('li', {}, actions[event.submitter.value]());
		} catch (error) {
			line = element('li', { className: 'rejected' }, error.message);
		}
		log.append(line);
		while (log.children.length > LOG_LINES)
			log.firstChild.remove();
		document.getElementById('mac-totals').replaceChildren(
			...results(kept, 'Total', 'All totals are 0.'));
	}

	form.addEventListener('input', update);
	form.addEventListener('submit', event => event.preventDefault());
	panel.addEventListener('submit', act);
	update();
	actions.power();
	panel.dataset.ready = true;
})().catch(error => {
	document.getElementById('calculated').textContent =
		`This browser cannot run the emulator: ${error.message}`;
});
