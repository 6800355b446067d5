// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// An emulated MAC of the page: calls of docs/site/calculator/mac.c, which is the project's own
// emulator as WebAssembly. Numbers of counters are BigInt.
'use strict';

class MacstatsMac {
	// @packed: the module, in gzip and base64. Each call makes a MAC of its own.
	static async make(packed) {
		const bytes = Uint8Array.from(atob(packed), letter => letter.charCodeAt(0));
		const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
		const code = await new Response(stream).arrayBuffer();

		return new MacstatsMac((await WebAssembly.instantiate(code)).instance.exports);
	}

	constructor(calls) {
		this.calls = calls;
	}

	text(address) {
		const bytes = new Uint8Array(this.calls.memory.buffer, address);

		return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
	}

	// Why the last call failed, or may have lost counts.
	get reason() {
		return this.text(this.calls.reason());
	}

	check(error) {
		if (error)
			throw new Error(this.reason);
	}

	modelIndex(name) {
		for (let index = 0; this.text(this.calls.model(index)); index++)
			if (this.text(this.calls.model(index)) === name)
				return index;
		throw new Error(`there is no model ${name}`);
	}

	// A new device. @change: of its default options; @seed: not 0n for counters that hold anything
	powerUp(name, change = options => options, seed = 0n) {
		const index = this.modelIndex(name);

		this.check(this.calls.power_up(index, change(this.calls.default_options(index)), seed));
	}

	// @frame: the first twelve arguments of mac_send()
	send(frame, count = 1) {
		this.check(this.calls.send(...frame, count));
	}

	read(address) {
		this.check(this.calls.read(address));
		return BigInt.asUintN(64, this.calls.value());
	}

	write(address, value) {
		this.check(this.calls.write(address, value));
	}

	poll(microseconds = this.calls.poll_interval()) {
		this.check(this.calls.poll(microseconds));
	}

	// Send so many frames alike, and poll so often that no register wraps in between.
	count(frame, count) {
		for (let left = count; left > 0; left -= 64) {
			this.send(frame, Math.min(left, 64));
			this.poll(1e6);
		}
	}

	// Those that the hardware has: [{ name, help, total, pending, goodFrames }]
	counters() {
		const lacks = 2n ** 64n - 1n;

		return Array.from({ length: this.calls.counters() }, (_, index) => ({
			name: this.text(this.calls.counter(index)),
			help: this.text(this.calls.help(index)),
			total: BigInt.asUintN(64, this.calls.total(index)),
			pending: BigInt.asUintN(64, this.calls.pending(index)),
			goodFrames: this.calls.good_frames(index),
		})).filter(counter => counter.total !== lacks);
	}

	// [{ name: 'rmon/rx-pkts64to64', value }]
	standard() {
		return Array.from({ length: this.calls.rows() }, (_, index) => ({
			name: `${this.text(this.calls.row_group(index))}/${this.text(this.calls.row_name(index))
				.replace('NtoM', `${this.calls.row_low(index)}to${this.calls.row_high(index)}`)}`,
			value: BigInt.asUintN(64, this.calls.row_value(index)),
		}));
	}
}
