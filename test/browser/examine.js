// SPDX-License-Identifier: GPL-2.0
//
// What tests ask a page in the browser: see browser.py.
'use strict';

window.examine = (() => {
	const LEAST = 4.5; // WCAG 2.1, 1.4.3, for text of normal size

	const channels = colour => {
		const [r, g, b, alpha = 1] = colour.match(/[\d.]+/g).map(Number);

		return { r, g, b, alpha };
	};

	// A colour in front of an opaque one.
	const over = (front, back) => {
		const mixed = { alpha: 1 };

		for (const name of ['r', 'g', 'b'])
			mixed[name] = front[name] * front.alpha + back[name] * (1 - front.alpha);
		return mixed;
	};

	function luminance(colour) {
		const [r, g, b] = [colour.r, colour.g, colour.b].map(value => {
			const part = value / 255;
			return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
		});

		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	}

	function ratio(a, b) {
		const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);

		return (high + 0.05) / (low + 0.05);
	}

	const backgrounds = new Map();

	function background(element) {
		if (!element)
			return { r: 255, g: 255, b: 255, alpha: 1 };
		if (!backgrounds.has(element)) {
			const own = channels(getComputedStyle(element).backgroundColor);
			backgrounds.set(element, own.alpha === 1 ? own :
				over(own, background(element.parentElement)));
		}
		return backgrounds.get(element);
	}

	// The bits of a field are written on the rectangle before them.
	function behind(element) {
		const drawn = element.closest('svg.register text:not(.bit)');

		if (!drawn)
			return background(element);
		return channels(getComputedStyle(drawn.previousElementSibling).fill);
	}

	function opacity(element) {
		let value = 1;

		for (let each = element; each; each = each.parentElement)
			value *= Number(getComputedStyle(each).opacity);
		return value;
	}

	function contrastOf(element, colour) {
		const back = behind(element);
		const front = channels(colour);

		front.alpha *= opacity(element);
		return front.alpha === 0 ? Infinity : ratio(over(front, back), back);
	}

	let seen = 0; // texts that the last pale() has judged

	// [[contrast, element, text]] of what is too pale, with the first text of each class of elements
	function pale() {
		const found = new Map();
		const judged = new Map();
		const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
		const judge = (element, colour, text) => {
			const contrast = contrastOf(element, colour);

			seen++;
			const key = `${element.localName}.${element.className}`;

			if (contrast < LEAST && !found.has(key))
				found.set(key, [Number(contrast.toFixed(2)), key, text.slice(0, 40)]);
		};

		seen = 0;
		backgrounds.clear();
		while (texts.nextNode()) {
			const element = texts.currentNode.parentElement;
			const text = texts.currentNode.data.trim();
			if (!text || judged.has(element) || ['script', 'style', 'option', 'title', 'noscript']
				.includes(element.localName))
				continue;
			judged.set(element, true);
			if (!element.checkVisibility({ checkVisibilityCSS: true }))
				continue;
			const style = getComputedStyle(element);
			judge(element, element.closest('svg') ? style.fill : style.color, text);
		}
		for (const input of document.querySelectorAll('input, select')) {
			if (!input.checkVisibility({ checkVisibilityCSS: true }))
				continue;
			judge(input, getComputedStyle(input).color, input.name);
			if (input.placeholder)
				judge(input, getComputedStyle(input, '::placeholder').color, input.placeholder);
		}
		return [...found.values()];
	}

	const root = document.documentElement;

	return {
		pale,
		seen: () => seen,
		overflow: () => root.scrollWidth - root.clientWidth,
		facts: () => ({
			title: document.title,
			headings: document.querySelectorAll('h1').length,
			ids: [...document.querySelectorAll('[id]')].map(each => each.id),
			links: [...document.querySelectorAll('a[href]')].map(each => each.href),
			resources: [...document.querySelectorAll('[src], link[href]')]
				.filter(each => each.rel !== 'canonical')
				.map(each => each.src || each.href)
				.concat(performance.getEntriesByType('resource').map(each => each.name)),
		}),
	};
})();
