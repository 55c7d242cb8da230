'use strict';

const report = JSON.parse(document.getElementById('data').textContent);

// ----- Making elements. All text goes in as text, never as HTML.

function el(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {}))
    if (value !== undefined && value !== false)
      element.setAttribute(name, value === true ? '' : value);
  element.append(...children.filter((child) => child !== undefined && child !== ''));
  return element;
}

const byId = (id) => document.getElementById(id);

// ----- Figures.

const formatCount = (n) => n.toLocaleString('en-US');
const count = (n, one, many) => `${formatCount(n)} ${n === 1 ? one : many || one + 's'}`;

function formatScaled(value, units, base) {
  let unit = 0;
  while (value >= base && unit + 1 < units.length) {
    value /= base;
    ++unit;
  }
  const digits = unit === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${value.toFixed(digits)} ${units[unit]}`;
}
const formatTime = (ns) => formatScaled(ns, ['ns', 'µs', 'ms', 's'], 1000);
const formatBytes = (bytes) => formatScaled(bytes, ['B', 'KiB', 'MiB', 'GiB'], 1024);
const formatShare = (share) => `${(100 * share).toFixed(1)}%`;

function formatDelta(n) {
  return n === 0 ? '±0' : (n > 0 ? '+' : '−') + formatCount(Math.abs(n));
}
function formatBytesDelta(n) {
  return n === 0 ? '±0' : (n > 0 ? '+' : '−') + formatBytes(Math.abs(n));
}
