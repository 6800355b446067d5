// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The form of a MAC's page: what the described frame counts, whenever an input changes. The rules
// are in count.js.
'use strict';

(() => {
	const model = JSON.parse(document.getElementById('macstats-model').textContent);
	const form = document.getElementById('calculator');
	const output = document.getElementById('calculated');
	const settings = document.getElementById('calculator-setup');
	// Options that change what frames count, beside those that leave counters out.
	const OPTIONS = ['duplex', 'medium', 'vlan_detection', 'variant', 'revision'];
	const TITLES = { duplex: 'Duplex', medium: 'Medium', vlan_detection: 'VLAN detection',
			 variant: 'Variant', revision: 'Revision' };

	function element(name, properties, ...children) {
		const made = Object.assign(document.createElement(name), properties);

		made.append(...children);
		return made;
	}

	// ---- settings of the device

	function optionInput(name, words) {
		const select = element('select', { name: `option:${name}` },
				       ...words.map(word => element('option', {}, word)));
		const title = name === 'variant' ? model.variant : '';

		return element('label', { title }, `${TITLES[name]} `, select);
	}

	function knobInput(knob) {
		const name = `register:${knob.register}:${knob.lsb}:${knob.mask}`;
		const title = knob.description;
		const label = knob.field === knob.register ? knob.field : `${knob.register}.${knob.field}`;
		const input = element('input', knob.bits === 1 ?
			{ name, type: 'checkbox', defaultChecked: knob.reset === 1 } :
			{ name, type: 'number', min: 0, max: 2 ** knob.bits - 1, defaultValue: knob.reset,
			  required: true });

		return knob.bits === 1 ?
			element('label', { title, className: 'check' }, input, ` ${label}`) :
			element('label', { title }, `${label} `, input);
	}

	function addSettings() {
		const inputs = [
			...OPTIONS.filter(name => (model.option_values[name] ?? []).length > 1)
				.map(name => optionInput(name, model.option_values[name])),
			...macstatsCount.knobs(model).map(knobInput),
		];

		settings.hidden = !inputs.length;
		settings.append(element('div', { className: 'fields' }, ...inputs));
	}

	function setupOf(data) {
		const setup = { options: {}, registers: {} };

		for (const input of settings.querySelectorAll('[name]')) {
			const [what, name, lsb, mask] = input.name.split(':');
			if (what === 'option') {
				setup.options[name] = data.get(input.name);
				continue;
			}
			const value = input.type === 'checkbox' ? Number(input.checked) : Number(input.value);
			const reset = model.registers.find(register => register.name === name).reset;
			const before = setup.registers[name] ?? reset;
			setup.registers[name] = ((before & ~mask) | (value << lsb & mask)) >>> 0;
		}
		return setup;
	}

	// ---- the frame

	function frameOf(data) {
		const choice = name => data.get(name) ? data.get(name) === 'true' : null;

		return {
			direction: data.get('direction'),
			length: Number(data.get('length')),
			destination: data.get('destination'),
			kind: data.get('kind'),
			origin: data.get('origin'),
			vlan_tags: Number(data.get('vlan_tags')),
			errors: data.getAll('errors'),
			collisions: Number(data.get('collisions')),
			deferred: data.has('deferred'),
			descriptors: Number(data.get('descriptors')),
			append_crc: choice('append_crc'),
			huge: choice('huge'),
			count: Number(data.get('count')),
		};
	}

	// Inputs that this MAC has no use for.
	function hideUnused() {
		const hide = (name, unused) => {
			form.elements[name].closest('label').hidden = unused;
		};

		hide('descriptors', !model.descriptor);
		hide('append_crc', !model.descriptor?.append_crc);
		hide('huge', !model.descriptor?.huge);
	}

	// ---- the answer

	function table(caption, heading, rows) {
		const line = (cells, name) => element('tr', {}, ...cells.map(cell =>
			element(name, {}, cell)));

		return element('div', { className: 'table-wrapper' },
			       element('table', { className: 'docutils' },
				       element('caption', {}, caption),
				       element('thead', {}, line(heading, 'th')),
				       element('tbody', {}, ...rows.map(row => line(row, 'td')))));
	}

	const number = value => value.toLocaleString('en').replaceAll(',', '\u202f');

	function counterRow([name, value]) {
		const counter = model.counters.find(each => each.name === name);
		const href = `#${name.replaceAll('_', '-')}`;

		return [element('a', { href }, element('code', {}, name)), number(value),
			counter.description];
	}

	function standardRows(standard) {
		const rows = [];

		for (const [group, members] of Object.entries(standard))
			for (const [name, value] of Object.entries(members)) {
				const values = Array.isArray(value) ?
					value.map(each => [name.replace('NtoM', `${each.low}to${each.high}`), each.val]) :
					[[name, value]];
				for (const [label, amount] of values)
					if (amount)
						rows.push([element('code', {}, `${group}/${label}`), number(amount)]);
			}
		return rows;
	}

	function show(result) {
		if (result.rejected)
			return [element('p', { className: 'rejected' }, result.rejected)];
		const counters = Object.entries(result.counters);
		const standard = standardRows(result.standard);
		const parts = [counters.length ?
			table('Counters', ['Counter', 'Adds', 'Counts'], counters.map(counterRow)) :
			element('p', {}, 'No counter of this MAC shows these frames.')];

		if (standard.length)
			parts.push(table('Standard statistics', ['Statistic', 'Adds'], standard));
		for (const [name, value] of Object.entries(result.pending)) {
			const { good_frames: good } = model.counters.find(each => each.name === name);
			parts.push(element('p', {}, element('code', {}, name),
				` adds ${number(value)} more after ${good} good frame${good > 1 ? 's' : ''}.`));
		}
		return parts;
	}

	function update() {
		const data = new FormData(form);

		output.replaceChildren(...(form.checkValidity() ?
			show(macstatsCount.count(model, setupOf(data), frameOf(data))) :
			[element('p', { className: 'rejected' }, invalid())]));
	}

	function invalid() {
		const input = form.querySelector(':invalid:not(fieldset)');

		return `${input.closest('label').textContent.trim()}: ${input.min} to ${input.max}`;
	}

	addSettings();
	hideUnused();
	form.addEventListener('input', update);
	form.addEventListener('submit', event => event.preventDefault());
	update();
})();
