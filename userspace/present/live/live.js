// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The live page: asks the exporter for the ports, every few seconds, and shows them. All texts
// become text nodes. Totals are BigInt: they have up to 64 bits.
'use strict';

(() => {
	const SECONDS = 2; // between answers, unless the exporter is slow
	const MOST_SECONDS = 30; // between requests that fail
	const ANSWER_SECONDS = 20;
	const KEPT = 60; // rates of a sparkline
	const MOST_PROBLEMS = 30;
	const FEW_PORTS = 4; // of these, all are open at first
	const SVG = 'http://www.w3.org/2000/svg';

	const byId = id => document.getElementById(id);

	// --- Elements

	function fill(element, attributes, children) {
		for (const [name, value] of Object.entries(attributes))
			element.setAttribute(name, value);
		element.append(...children);
		return element;
	}

	const make = (tag, attributes = {}, ...children) =>
		fill(document.createElement(tag), attributes, children);
	const draw = (tag, attributes = {}, ...children) =>
		fill(document.createElementNS(SVG, tag), attributes, children);

	// Writes only a different text: a write ends the reader's selection.
	function setText(element, text) {
		if (element.textContent === text)
			return false;
		element.textContent = text;
		return true;
	}

	function setClass(element, name) {
		if (element.getAttribute('class') !== name)
			element.setAttribute('class', name);
	}

	// Puts the children in this order. Those in their place stay there, and focus stays.
	function setOrder(parent, children) {
		const focused = document.activeElement;

		children.forEach((child, index) => {
			if (parent.children[index] !== child)
				parent.insertBefore(child, parent.children[index] ?? null);
		});
		while (parent.children.length > children.length)
			parent.lastElementChild.remove();
		if (focused !== document.activeElement && focused.isConnected)
			focused.focus({ preventScroll: true });
	}

	// As the command shows names: what changes the lines or the direction of text is escaped.
	const visible = text => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, character =>
		[...new TextEncoder().encode(character)]
			.map(octet => `\\x${octet.toString(16).padStart(2, '0')}`).join(''));

	// --- Numbers

	const PREFIXES = ['', 'k', 'M', 'G', 'T', 'P', 'E'];

	function scaled(value) {
		let step = 0;

		while (Math.abs(value) >= 999.95 && step + 1 < PREFIXES.length) {
			value /= 1000;
			step++;
		}
		const digits = step === 0 && Number.isInteger(value) ? 0 :
			value < 9.9995 ? 3 : value < 99.995 ? 2 : 1;
		return `${value.toFixed(digits)} ${PREFIXES[step]}`;
	}

	// A rate of octets is shown in bits per second.
	function rateText(rate, unit) {
		if (rate === null)
			return '-';
		return rate.mark + (unit === 'octets' ? `${scaled(rate.value * 8)}bit/s` :
			`${scaled(rate.value)}${unit}/s`);
	}

	// What the rate of a counter or a statistic is, of the counts between two polls. Some are missing
	// where the port has lost any, or where a counter was at its maximum.
	function markOf(name, before, now) {
		const lost = now.state.discontinuities !== before.state.discontinuities ||
			now.state.possible_loss && !before.state.possible_loss;
		const { times = '0', bound = 'at_least' } = now.at_least?.[name] ?? {};

		if (times === (before.at_least?.[name]?.times ?? '0'))
			return lost ? '≥ ' : '';
		if (lost && bound !== 'at_least')
			return '≈ ';
		return { at_least: '≥ ', at_most: '≤ ', unknown: '≈ ' }[bound];
	}

	const isBusy = rate => rate !== null && rate.value > 0;

	// --- Rates

	// The last rates of one value. A rate is unknown (null), or {value, mark}.
	class Rates {
		constructor() {
			this.last = null;
			this.polled = null;
			this.rates = [];
		}

		get now() {
			return this.rates.at(-1) ?? null;
		}

		// @seconds: since the value before, or null if that says nothing about now.
		// @is_polled: it is that of a poll; while the port is stale, it may be part of one.
		add(value, seconds, mark, is_polled) {
			const rate = seconds && this.polled !== null && value >= this.polled ?
				{ value: Number(value - this.polled) / seconds, mark } : null;

			this.last = value;
			if (is_polled)
				this.polled = value;
			this.rates.push(rate);
			if (this.rates.length > KEPT)
				this.rates.shift();
		}

		// A path in a box of KEPT - 1 by 20, which breaks where rates are unknown.
		path() {
			const most = Math.max(...this.rates.map(rate => rate?.value ?? 0)) || 1;
			let command = 'M';

			return this.rates.map((rate, index) => {
				if (!rate) {
					command = 'M';
					return '';
				}
				const x = KEPT - this.rates.length + index;
				const point = `${command}${x} ${(19 - 18 * rate.value / most).toFixed(2)}`;

				command = 'L';
				return point;
			}).join('');
		}
	}

	class Sparkline {
		constructor() {
			this.path = draw('path', { d: '' });
			this.element = draw('svg', { class: 'sparkline', 'aria-hidden': 'true',
				viewBox: `0 0 ${KEPT - 1} 20`, preserveAspectRatio: 'none' }, this.path);
		}

		show(rates) {
			this.path.setAttribute('d', rates.path());
		}
	}

	// --- Models, each asked for once

	const models = new Map();

	function modelOf(port) {
		const model = models.get(port.model);

		// A driver's own model may have the name of another one.
		return model && Object.keys(port.totals).every(name => model.byName.has(name)) ?
			model : null;
	}

	async function learnModel(name) {
		const answer = await ask(`/api/models/${encodeURIComponent(name)}`);
		const model = answer.status === 404 ? null : contentOf(answer);

		if (model)
			model.byName = new Map(model.counters.map(each => [each.name, each]));
		models.set(name, model);
	}

	const learnModels = ports => Promise.all([...new Set(ports.map(port => port.model))]
		.filter(name => !models.has(name)).map(learnModel));

	// --- One counter of a port

	class Counter {
		constructor(name, info) {
			this.name = name;
			this.is_error = Boolean(info?.errors);
			this.unit = info?.unit ?? '';
			this.rates = new Rates();
			this.sparkline = new Sparkline();
			this.total = make('td', { class: 'number total' });
			this.rate = make('td', { class: 'number rate' });
			this.row = make('tr', {},
				make('th', { scope: 'row', class: 'mono name' }, visible(name)), this.total,
				make('td', { class: 'unit narrow-hidden' }, this.unit), this.rate,
				make('td', { class: 'narrow-hidden' }, this.sparkline.element));
			if (info)
				this.row.title = `${info.register}: ${info.description}`;
		}

		// Errors come first: those that count now before the others.
		get place() {
			if (!this.is_error || this.rates.last === 0n)
				return 2;
			return isBusy(this.rates.now) ? 0 : 1;
		}

		show() {
			const changed = setText(this.total, this.totalText);

			this.total.classList.toggle('changed', changed);
			setText(this.rate, rateText(this.rates.now, this.unit));
			setClass(this.row, ['bad', 'warn', ''][this.place]);
			this.sparkline.show(this.rates);
		}

		get totalText() {
			return `${this.saturated ? '≥ ' : ''}${this.rates.last}`;
		}
	}

	// --- The registers of a model, with the totals of a port

	const hexadecimal = value => `0x${value.toString(16)}`;
	const bitsOf = field => field.bits === 1 ? `[${field.lsb}]` :
		`[${field.lsb + field.bits - 1}:${field.lsb}]`;

	function registerRows(register) {
		const values = [];
		const input = make('input', { type: 'text', spellcheck: 'false', autocomplete: 'off',
			placeholder: 'decode 0x…', 'aria-label': `value of ${register.name} to decode` });
		const rows = [make('tr', {},
			make('td', { class: 'mono' }, hexadecimal(register.offset)),
			make('th', { scope: 'row', class: 'mono' }, register.name),
			make('td', {}, register.fields.length ? input : ''),
			make('td', { class: 'narrow-hidden' }, register.access),
			make('td', { class: 'help narrow-hidden' }, register.description ?? ''))];

		for (const field of register.fields) {
			const value = make('td', { class: 'mono' });

			values.push([field, value]);
			rows.push(make('tr', { class: 'field' },
				make('td', { class: 'mono' }, bitsOf(field)),
				make('th', { scope: 'row', class: 'mono' }, field.name), value,
				make('td', { class: 'narrow-hidden' }, field.access),
				make('td', { class: 'help narrow-hidden' }, field.description ?? '')));
		}
		input.addEventListener('input', () => {
			const text = input.value.trim();
			const known = /^(0x[\da-f]{1,16}|\d{1,20})$/i.test(text) &&
				BigInt(text) < 1n << 64n;

			input.setAttribute('aria-invalid', String(text !== '' && !known));
			for (const [field, cell] of values)
				setText(cell, known ? hexadecimal(
					BigInt(text) >> BigInt(field.lsb) & (1n << BigInt(field.bits)) - 1n) : '');
		});
		return rows;
	}

	class Registers {
		constructor(model, counters) {
			this.totals = [];
			const listed = [];

			for (const register of model.registers)
				listed.push([register.offset, registerRows(register)]);
			for (const row of model.counters) {
				const counter = counters.get(row.name);
				if (row.offset === null || !counter)
					continue;
				const total = make('td', { class: 'number' });
				this.totals.push([counter, total]);
				listed.push([row.offset, [make('tr', {},
					make('td', { class: 'mono' }, hexadecimal(row.offset)),
					make('th', { scope: 'row', class: 'mono' }, row.register), total,
					make('td', { class: 'narrow-hidden' }, [`${row.bits} bits`,
						row.onread === 'rclr' ? 'a read clears' : '', row.overflow]
						.filter(Boolean).join(', ')),
					make('td', { class: 'help narrow-hidden' }, row.description))]]);
			}
			listed.sort((a, b) => a[0] - b[0]);
			this.element = make('table', { class: 'registers' },
				make('thead', {}, make('tr', {},
					make('th', { scope: 'col' }, 'Address'), make('th', { scope: 'col' }, 'Register'),
					make('th', { scope: 'col' }, 'Total or field'),
					make('th', { scope: 'col', class: 'narrow-hidden' }, 'Access'),
					make('th', { scope: 'col', class: 'narrow-hidden' }, 'Description'))),
				make('tbody', {}, ...listed.flatMap(each => each[1])));
		}

		show() {
			for (const [counter, cell] of this.totals)
				setText(cell, counter.totalText);
		}
	}

	// --- One port

	const LINES = [['Received', 'rx'], ['Transmitted', 'tx']];

	class Port {
		constructor(port, is_open) {
			this.model = modelOf(port);
			this.sample = null;
			this.polled = null; // the sample of the last poll
			this.counters = new Map();
			this.name = make('bdi', { class: 'port-name' }, visible(port.port));
			this.badge = make('span', { class: 'badge' });
			this.age = make('span', { class: 'model age' });
			this.lines = LINES.map(([title, direction]) => ({
				title, direction, octets: new Rates(), frames: new Rates(),
				text: make('p'), sparkline: new Sparkline() }));
			this.summary = make('summary');
			this.rows = make('tbody');
			this.details = make('details', {}, this.summary, make('table', { class: 'counters' },
				make('thead', {}, make('tr', {},
					make('th', { scope: 'col' }, 'Counter'),
					make('th', { scope: 'col', class: 'number' }, 'Total'),
					make('th', { scope: 'col', class: 'narrow-hidden' }, 'Unit'),
					make('th', { scope: 'col', class: 'number' }, 'Rate'),
					make('th', { scope: 'col', class: 'narrow-hidden' }, 'History'))),
				this.rows));
			this.details.open = is_open;
			this.element = make('article', { id: `port-${port.ifindex}`, class: 'port' },
				make('div', { class: 'heading' }, make('h3', {}, this.name),
					make('span', { class: 'model' }, visible(port.model)), this.badge, this.age),
				make('div', { class: 'graphs' }, ...this.lines.map(line =>
					make('div', {}, line.text, line.sparkline.element))),
				this.details);
			if (this.model)
				this.addRegisters();
			this.details.addEventListener('toggle', () => this.showRows());
		}

		// Made when they are opened.
		addRegisters() {
			const details = make('details', {}, make('summary', {}, 'Registers and fields'));

			details.addEventListener('toggle', () => {
				if (details.open && !this.registers) {
					this.registers = new Registers(this.model, this.counters);
					details.append(this.registers.element);
				}
				this.registers?.show();
			});
			this.element.append(details);
		}

		// The answer for this port. Rates are those of its last poll: none while it is stale.
		update(port) {
			const time = BigInt(port.time_ns);
			const before = this.polled;
			const is_new = !before || BigInt(before.time_ns) !== time;

			this.sample = port;
			if (is_new) {
				this.polled = port;
				const went_on = before && !before.state.stale && !port.state.stale &&
					BigInt(before.generation) < BigInt(port.generation) &&
					BigInt(before.time_ns) < time;
				const seconds = went_on ? Number(time - BigInt(before.time_ns)) / 1e9 : null;

				this.count(seconds, name => before ? markOf(name, before, port) : '');
				this.read_at = Date.now();
			} else if (port.state.stale) {
				this.count(null, () => '');
			}
			for (const [name, counter] of this.counters)
				counter.saturated = Object.hasOwn(port.at_least ?? {}, name);
			this.show();
		}

		// @mark: that of the rate of a counter or of a statistic
		count(seconds, mark) {
			const is_polled = this.sample === this.polled;
			const rtnl = this.sample.standard.rtnl ?? {};

			for (const [name, total] of Object.entries(this.sample.totals)) {
				if (!this.counters.has(name))
					this.counters.set(name, new Counter(name, this.model?.byName.get(name)));
				this.counters.get(name).rates.add(
					BigInt(total), seconds, mark(name), is_polled);
			}
			for (const { direction, octets, frames } of this.lines)
				for (const [rates, what] of [[octets, 'bytes'], [frames, 'packets']])
					if (`${direction}_${what}` in rtnl)
						rates.add(BigInt(rtnl[`${direction}_${what}`]), seconds,
							mark(`rtnl-${direction}_${what}`), is_polled);
		}

		// What is wrong: [text, is it so now].
		get remarks() {
			const { stale, stale_reason, possible_loss, discontinuities } = this.sample.state;
			const saturated = [...this.counters.values()].filter(each => each.saturated).length;

			return [
				[stale && `stale${stale_reason ? ` (${visible(stale_reason)})` : ''}`, true],
				[possible_loss && 'possible loss', false],
				[Number(discontinuities) && `${discontinuities} ` +
					(discontinuities === '1' ? 'discontinuity' : 'discontinuities'), false],
				[saturated && `${saturated} saturated counter${saturated === 1 ? '' : 's'}`, false],
			].filter(([text]) => text);
		}

		get errors() {
			return [...this.counters.values()].filter(each => each.place < 2);
		}

		// 0: wrong now; 1: was wrong; 2: good.
		get place() {
			return Math.min(2, ...this.remarks.map(([, is_now]) => is_now ? 0 : 1),
				...this.errors.map(each => each.place));
		}

		show() {
			const texts = this.remarks.map(([text]) => text);

			setClass(this.element, `port ${['bad', 'warn', 'good'][this.place]}`);
			setClass(this.badge, `badge ${this.sample.state.stale ? 'bad' :
				texts.length ? '' : 'good'}`.trim());
			setText(this.badge, texts.length ? texts.join(', ') : 'fresh');
			const age = Math.floor((Date.now() - this.read_at) / 1000);
			setText(this.age, age > 3 * SECONDS ? `read ${age} s ago` : '');
			for (const line of this.lines) {
				const rates = [[line.octets, 'octets'], [line.frames, 'frames']]
					.filter(([each]) => each.now).map(([each, unit]) => rateText(each.now, unit));
				// The driver may count them, or more net devices than one.
				setText(line.text, line.octets.last === null && line.frames.last === null ?
					`${line.title}: see ip -s link` : `${line.title} ${rates.join(', ') || '-'}`);
				line.sparkline.show(line.octets);
			}
			this.showRows();
			this.registers?.show();
		}

		showRows() {
			const all = [...this.counters.values()];
			const counted = all.filter(each => each.rates.last !== 0n);

			setText(this.summary, `Counters: ${counted.length} of ${all.length} have counted`);
			if (!this.details.open)
				return;
			const shown = (byId('zeros').checked ? all : counted)
				.map((counter, index) => ({ counter, index, place: counter.place }))
				.sort((a, b) => a.place - b.place || a.index - b.index)
				.map(each => each.counter);
			shown.forEach(counter => counter.show());
			setOrder(this.rows, shown.map(counter => counter.row));
		}
	}

	// --- All ports

	const ports = new Map();

	function problemsOf(port) {
		return [
			...port.remarks.map(([text, is_now]) =>
				({ port, text, total: '', rate: '', place: is_now ? 0 : 1 })),
			...port.errors.map(counter => ({ port, text: visible(counter.name),
				total: counter.totalText, rate: rateText(counter.rates.now, counter.unit),
				place: counter.place })),
		];
	}

	function problemRow(problem, row) {
		const link = row?.querySelector('a') ?? make('a');

		row ??= make('tr', {}, make('td', {}, make('bdi', {}, link)), make('td', { class: 'mono' }),
			make('td', { class: 'number total' }), make('td', { class: 'number' }));
		setText(link, problem.port.name.textContent);
		link.setAttribute('href', `#${problem.port.element.id}`);
		[problem.text, problem.total, problem.rate].forEach((text, index) =>
			setText(row.cells[index + 1], text));
		setClass(row, problem.place ? 'warn' : 'bad');
		return row;
	}

	function showProblems(shown) {
		const problems = shown.flatMap(problemsOf).sort((a, b) => a.place - b.place);
		const table = byId('problem-table');
		const more = problems.length - MOST_PROBLEMS;

		byId('no-problems').hidden = problems.length > 0;
		table.hidden = problems.length === 0;
		setOrder(table.tBodies[0], problems.slice(0, MOST_PROBLEMS)
			.map((problem, index) => problemRow(problem, table.tBodies[0].rows[index])));
		byId('more-problems').hidden = more <= 0;
		setText(byId('more-problems'), `and ${more} more`);
	}

	function showPorts() {
		const wanted = byId('filter').value.toLowerCase();
		const shown = [...ports.values()].filter(port =>
			port.name.textContent.toLowerCase().includes(wanted));

		byId('no-ports').hidden = shown.length > 0;
		setText(byId('no-ports'), ports.size ? 'No port has such a name.' :
			'This network namespace has no ports.');
		setOrder(byId('ports'), shown.map((port, index) => ({ port, index, place: port.place }))
			.sort((a, b) => a.place - b.place || a.index - b.index)
			.map(each => each.port.element));
		showProblems(shown);
		const bad = shown.filter(port => port.place === 0).length;
		document.title = `${bad ? `(${bad}) ` : ''}macstats: ports`;
	}

	function take(answer) {
		const keys = new Set();

		for (const port of answer) {
			// A port that changes its name or model is another one.
			const key = JSON.stringify([port.ifindex, port.port, port.model]);
			keys.add(key);
			if (!ports.has(key))
				ports.set(key, new Port(port, answer.length <= FEW_PORTS));
			ports.get(key).update(port);
		}
		for (const key of ports.keys())
			if (!keys.has(key))
				ports.delete(key);
		showPorts();
	}

	// --- Requests

	// A reason to show the last values. Other errors are of the answer, or of this page.
	class Problem extends Error {}

	async function ask(path) {
		try {
			const answer = await fetch(path, { cache: 'no-store', credentials: 'omit',
				signal: AbortSignal.timeout(ANSWER_SECONDS * 1000) });
			return { ok: answer.ok, status: answer.status, text: await answer.text() };
		} catch {
			throw new Problem('the exporter is not reachable');
		}
	}

	function contentOf(answer) {
		if (!answer.ok)
			throw new Problem(`the exporter reports: ${visible(answer.text.trim())}`);
		return JSON.parse(answer.text);
	}

	let timer = null;
	let failures = 0;
	let paused = false;
	let turn = 0; // of Pause: an answer to an earlier one is out of date
	let lost_at = '';

	const clock = () => new Date().toLocaleTimeString('en-GB');

	function showState(name, text, when) {
		setClass(byId('state'), `badge ${name}`.trim());
		setText(byId('state'), text);
		setText(byId('when'), when);
	}

	// Returns the seconds to wait for the next one.
	async function poll() {
		const begun = performance.now();
		const now = turn;

		try {
			const listed = contentOf(await ask('/api/ports?integers=strings'));
			await learnModels(listed);
			if (now !== turn)
				return SECONDS;
			take(listed);
			failures = 0;
			showState('good', 'live', `updated ${clock()}`);
			// A slow exporter is asked for a quarter of the time at most.
			return Math.max(SECONDS, 3 * (performance.now() - begun) / 1000);
		} catch (error) {
			if (now !== turn)
				return SECONDS;
			lost_at = failures++ ? lost_at : clock();
			const wait = Math.min(MOST_SECONDS, SECONDS * 2 ** (failures - 1));
			const why = error instanceof Problem ? error.message :
				`the answer cannot be shown: ${visible(error.message)}`;
			showState('bad', why, `since ${lost_at}; values are older; next try in ${wait} s`);
			return wait;
		}
	}

	let polling = Promise.resolve();

	// Now, or when the answer that is on its way is there.
	function pollNow() {
		polling = polling.then(async () => {
			clearTimeout(timer);
			if (!paused && !document.hidden)
				timer = setTimeout(pollNow, await poll() * 1000);
		});
	}

	byId('pause').addEventListener('click', () => {
		turn++;
		paused = !paused;
		byId('pause').setAttribute('aria-pressed', String(paused));
		if (paused)
			showState('', 'paused', `at ${clock()}`);
		else
			showState('', 'connecting', '');
		pollNow();
	});
	document.addEventListener('visibilitychange', pollNow);
	byId('zeros').addEventListener('change', () => ports.forEach(port => port.showRows()));
	byId('filter').addEventListener('input', showPorts);
	pollNow();
})();
