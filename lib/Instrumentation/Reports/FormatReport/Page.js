// ----- Layouts and data types: which layers changed theirs, and the conversions between them.

const conversionKinds = { layout: 'layout transforms', transpose: 'transposes', dtype: 'casts' };

/// What is wrong with a stray conversion, with the name of another one, and what removes it.
const strayWords = {
  nothing: () => ['converts to the same format', 'simplify-expr removes them'],
  constant: () => ['of constants', 'fold-constant folds them'],
  repeated: (other) => [`repeats ${other}`, 'eliminate-common-subexpr merges them'],
  cancels: (other) => [`cancels ${other}`, 'simplify-expr removes both if nothing else uses the first'],
  rounds: (other) => [`cancels ${other}, which rounds`, 'no pass removes them, since that changes values'],
  follows: (other) => [`follows ${other}`, 'simplify-expr merges both if nothing else uses the first'],
};
const strayKey = ({ reason, exact }) => (reason === 'cancels' && !exact ? 'rounds' : reason);

/// Bytes that conversions read and write; a lower bound if some have dynamic types.
const bytesOfSum = ({ bytes, unknown }) => `${unknown ? '≥ ' : ''}${formatBytes(bytes)}`;
const countOfSum = (sum) => (sum.count ? formatCount(sum.count) : '');

const hasFormats = ({ formats }) => formats.layers.length > 0 || formats.conversions.length > 0;

function passesById(module) {
  const found = new Map();
  const visit = (pass) => {
    found.set(pass.id, pass);
    pass.passes.forEach(visit);
  };
  module.passes.forEach(visit);
  return found;
}

const passLink = (pass) => el('a', { href: `#pass-${pass.id}` }, pass.name);
const joined = (parts, between) => parts.flatMap((part, index) => (index ? [between, part] : [part]));

// ----- Tables.

/// A cell with the title of its column, which narrow screens show.
const labelled = (title, attributes, ...children) => {
  const cell = el('td', { ...attributes, 'data-title': title }, ...children);
  if (!cell.textContent)
    cell.classList.add('blank');
  return cell;
};

function formatTable(caption, titles, rows) {
  return el('div', { class: 'scroll' }, el('table', { class: 'formats' },
    el('caption', {}, caption),
    el('thead', {}, el('tr', {}, ...titles.map(([title, isNumber]) => el('th', { scope: 'col', class: isNumber ? 'amount' : '' }, title)))),
    el('tbody', {}, ...rows)));
}

/// A row; `cells` are strings or lists of nodes.
function formatRow(titles, cells, attributes) {
  return el('tr', attributes || {}, ...cells.map((cell, index) => {
    const [title, isNumber] = titles[index];
    return labelled(title, { class: isNumber ? 'amount' : '' }, ...(Array.isArray(cell) ? cell : [cell]));
  }));
}

const arrow = (before, after) => (before === after ? before : `${before} → ${after}`);

function renderSteps({ layouts, dtypes }) {
  const titles = [['Format'], ['Layers', true], ['']];
  const rowsOf = (steps, word) => [...steps].sort((a, b) => (a.before === a.after) - (b.before === b.after) || b.layers - a.layers)
    .map(({ before, after, layers }) =>
      formatRow(titles, [[el('code', {}, arrow(before, after))], formatCount(layers), before === after ? `${word} stayed` : `${word} changed`],
        { class: before === after ? 'stayed' : '' }));
  const rows = [...rowsOf(layouts, 'layout'), ...rowsOf(dtypes, 'data type')];
  return rows.length ? formatTable('Layers by layout and data type', titles, rows) : '';
}

function renderTotals({ totals }) {
  const titles = [['Conversions'], ['before', true], ['added', true], ['removed', true], ['after', true], ['bytes moved', true], ['stray', true], ['bytes of stray ones', true]];
  const rows = Object.entries(totals).map(([kind, sums]) => formatRow(titles, [
    conversionKinds[kind], formatCount(sums.before.count), countOfSum(sums.added), countOfSum(sums.removed), formatCount(sums.after.count),
    bytesOfSum(sums.after), countOfSum(sums.stray), sums.stray.count ? bytesOfSum(sums.stray) : '']));
  return rows.length ? formatTable('Conversions before and after all passes', titles, rows) : '';
}

function renderConvertingPasses(module) {
  const titles = [['Pass'], ['Conversions'], ['added', true], ['bytes', true], ['removed', true], ['bytes', true], ['with other types', true]];
  const rows = [...passesById(module).values()].filter((pass) => pass.kind !== 'group').flatMap((pass) =>
    Object.entries(pass.conversions).map(([kind, { added, removed, retyped }]) => formatRow(titles, [
      [passLink(pass)], conversionKinds[kind], countOfSum(added), added.count ? bytesOfSum(added) : '',
      countOfSum(removed), removed.count ? bytesOfSum(removed) : '',
      retyped.count ? `${formatCount(retyped.count)} (${formatBytesDelta(retyped.bytes)})` : ''])));
  return rows.length ? formatTable('Conversions by pass', titles, rows) : '';
}

/// The reasons, the most frequent first.
function renderWhyStayed(formats, byNumber) {
  const groups = new Map();
  for (const layer of formats.layers)
    for (const { pass, message } of layer.reasons) {
      const key = `${pass} ${message}`;
      const group = groups.get(key) || { pass, message, layers: 0, operators: new Map() };
      ++group.layers;
      for (const { operator } of layer.before)
        group.operators.set(operator, (group.operators.get(operator) || 0) + 1);
      groups.set(key, group);
    }
  const titles = [['Layers', true], ['Operators'], ['Pass'], ['Reason']];
  const rows = [...groups.values()].sort((a, b) => b.layers - a.layers).slice(0, 20).map(({ pass, message, layers, operators }) =>
    formatRow(titles, [formatCount(layers), [el('code', {}, [...operators.keys()].slice(0, 4).join(', '))], [passLink(byNumber.get(pass))], message]));
  return rows.length ? formatTable('Why layers stayed', titles, rows) : '';
}

function renderStrays({ conversions }) {
  const groups = new Map();
  for (const { kind, stray } of conversions)
    if (stray) {
      const key = `${kind} ${strayKey(stray)}`;
      groups.set(key, (groups.get(key) || 0) + 1);
    }
  return groups.size === 0 ? '' : el('ul', { class: 'counts strays' }, ...[...groups].map(([key, n]) => {
    const [kind, reason] = key.split(' ');
    const word = n === 1 ? conversionKinds[kind].slice(0, -1) : conversionKinds[kind];
    return el('li', {}, el('strong', {}, `${formatCount(n)} ${word}`), ` ${strayWords[reason]('another one').join(': ')}`);
  }));
}

// ----- Long tables, some rows at a time, with a filter.

const formatPageSize = 100;

/// A table of `items`, which `select` limits; `makeRow` makes a row.
function renderLong({ title, titles, items, omitted, choices: allChoices, textOf, makeRow, id, placeholder }) {
  const choices = allChoices.filter(([, accepts]) => items.some(accepts));
  const body = el('tbody');
  const more = el('button', { type: 'button' });
  const found = el('output', { class: 'found' });
  const filter = el('input', { type: 'search', id: `${id}-filter`, autocomplete: 'off', spellcheck: 'false', placeholder });
  const choice = el('select', { id: `${id}-choice` }, ...choices.map(([name], index) => el('option', { value: String(index) }, name)));
  let wanted = [];
  let shown = 0;
  const show = () => {
    for (const item of wanted.slice(shown, shown + formatPageSize))
      body.append(makeRow(item));
    shown = Math.min(wanted.length, shown + formatPageSize);
    more.hidden = shown === wanted.length;
    more.textContent = `Show more (${formatCount(wanted.length - shown)})`;
  };
  const apply = () => {
    const text = filter.value.trim().toLowerCase();
    const [, accepts] = choices[choice.value];
    wanted = items.filter((item) => accepts(item) && (!text || (item.text = item.text || textOf(item).toLowerCase()).includes(text)));
    body.replaceChildren();
    shown = 0;
    found.textContent = `${formatCount(wanted.length)} of ${formatCount(items.length)}`;
    show();
  };
  filter.addEventListener('input', apply);
  choice.addEventListener('change', apply);
  more.addEventListener('click', show);
  apply();
  return el('section', { class: 'long', id },
    el('h3', {}, title),
    el('div', { class: 'choose' },
      el('label', { for: `${id}-choice` }, 'Show '), choice,
      el('label', { class: 'filter', for: `${id}-filter` }, 'Filter', filter), found),
    el('div', { class: 'scroll' }, el('table', { class: 'formats' },
      el('thead', {}, el('tr', {}, ...titles.map(([name, isNumber]) => el('th', { scope: 'col', class: isNumber ? 'amount' : '' }, name)))), body)),
    more, omitted ? el('p', { class: 'rest' }, `${formatCount(omitted)} more are left out.`) : '');
}

/// Short names of constructs: `constant` for `relay.constant`.
const plainName = (name) => (name || '').replace(/^relay\./, '');

const fileless = (position) => position.replace(/^.*[\\/]/, '');

function renderConversions(formats, byNumber, id) {
  const titles = [['Conversion'], ['From → to'], ['Between'], ['Bytes moved', true], ['Added by'], ['Stray']];
  const named = (conversion) => conversion && conversion.name ? conversion.name : '';
  const makeRow = (c) => {
    const other = c.stray && c.stray.other && formats.conversions[c.stray.other - 1];
    const stray = c.stray && strayWords[strayKey(c.stray)](named(other) || 'another one');
    const users = c.users > 1 ? ` and ${formatCount(c.users - 1)} more` : '';
    return formatRow(titles, [
      [el('code', {}, [named(c), c.operator].filter(Boolean).join(' ')), el('small', {}, ` @${c.function} ${fileless(c.position || '')} ${c.layers.join(', ')}`)],
      [el('code', { title: `${c.operandType || ''} → ${c.type || ''}` }, c.axes && !c.to ? `axes ${c.axes.join(', ')}` : `${c.from || '?'} → ${c.to || '?'}`)],
      [el('code', {}, `${plainName(c.operand)} → ${plainName(c.user) || 'result'}`), users],
      c.bytes === undefined ? 'unknown' : formatBytes(c.bytes),
      c.pass === undefined ? 'the input' : [passLink(byNumber.get(c.pass)), c.rule ? ` (${c.rule})` : ''],
      stray ? [el('strong', { title: stray[1] }, stray[0])] : ''],
    { class: stray ? 'stray' : '' });
  };
  return renderLong({
    id, title: 'Conversions', titles, items: formats.conversions, omitted: formats.conversionsOmitted, makeRow,
    placeholder: 'operator, layer, pass, layout or type',
    choices: [
      ['all', () => true],
      ['only stray', (c) => c.stray],
      ['all but stray', (c) => !c.stray],
      ...Object.entries(conversionKinds).map(([kind, words]) => [words, (c) => c.kind === kind]),
      ['in the input', (c) => c.pass === undefined],
    ],
    textOf: (c) => [c.name, c.operator, c.function, c.position, ...c.layers, c.from, c.to, c.operandType, c.type, c.operand, c.user,
      c.pass ? byNumber.get(c.pass).name : 'the input', c.rule, c.stray ? c.stray.reason : ''].join('\n'),
  });
}

// ----- Layers.

const unique = (texts) => [...new Set(texts.filter(Boolean))];
/// `NCHW, OIHW`: the layouts that attributes name, or else that of the result.
const layoutText = (form) => (unique(Object.values(form.attributes)).join(' ') || form.layout || '');
const dtypeText = (form) => (form.operandDtype && form.dtype && form.operandDtype !== form.dtype
  ? `${form.operandDtype} to ${form.dtype}` : form.dtype || '');

function layerStep(layer, textOf) {
  const [before, after] = [layer.before, layer.after].map((forms) => unique(forms.map(textOf)).join(', '));
  return !before || !after ? before || after : arrow(before, after);
}

function renderLayers(formats, byNumber, id) {
  const titles = [['Layer'], ['Operators'], ['Layout'], ['Data type'], ['Changed by'], ['Why it stayed']];
  const operators = (forms) => forms.map(({ operator, count }) => (count > 1 ? `${formatCount(count)} ${operator}` : operator)).join(', ');
  const makeRow = (layer) => {
    const [before, after] = [operators(layer.before), operators(layer.after)];
    const words = !layer.after.length ? 'removed' : !layer.before.length ? 'new' : '';
    return formatRow(titles, [
      [layer.names.join(', '), el('small', {}, ` ${fileless(layer.position || '')}`)],
      [el('code', {}, before && after ? arrow(before, after) : before || after), words && el('span', { class: 'badge' }, words)],
      [el('code', { class: layer.layoutChanged ? 'step moved' : 'step' }, layerStep(layer, layoutText))],
      [el('code', { class: layer.dtypeChanged ? 'step moved' : 'step' }, layerStep(layer, dtypeText))],
      joined(layer.changedBy.map((pass) => passLink(byNumber.get(pass))), ', '),
      joined(layer.reasons.map(({ pass, message }) => el('span', {}, passLink(byNumber.get(pass)), `: ${message}`)), el('br'))]);
  };
  const changed = (layer) => layer.layoutChanged || layer.dtypeChanged;
  return renderLong({
    id, title: 'Layers', titles, items: formats.layers, omitted: formats.layersOmitted, makeRow,
    placeholder: 'operator, layer, pass, layout or reason',
    choices: [
      ['all', () => true],
      ['changed layout', (layer) => layer.layoutChanged],
      ['changed data type', (layer) => layer.dtypeChanged],
      ['stayed', (layer) => !changed(layer) && layer.before.length && layer.after.length],
      ['stayed for a reason', (layer) => layer.reasons.length],
    ],
    textOf: (layer) => [layer.position, ...layer.names, operators(layer.before), operators(layer.after), layerStep(layer, layoutText),
      layerStep(layer, dtypeText), ...layer.changedBy.map((pass) => byNumber.get(pass).name), ...layer.reasons.map(({ message }) => message)].join('\n'),
  });
}

function renderFormats(module, index) {
  const { formats } = module;
  const byNumber = passesById(module);
  return el('section', { class: 'format-report', id: `formats-${index + 1}` },
    el('h2', {}, report.modules.length > 1 ? `Layouts and precision of part ${index + 1}` : 'Layouts and precision'),
    el('div', { class: 'format-sums' }, renderSteps(formats), renderTotals(formats), renderConvertingPasses(module), renderWhyStayed(formats, byNumber)),
    renderStrays(formats),
    formats.conversions.length ? renderConversions(formats, byNumber, `conversions-${index + 1}`) : '',
    formats.layers.length ? renderLayers(formats, byNumber, `layers-${index + 1}`) : '');
}

/// Figures for the head of the page; none without conversions.
function formatFigures(modules) {
  const shown = modules.filter(hasFormats);
  return Object.entries(conversionKinds).flatMap(([kind, words]) => {
    const sums = shown.flatMap(({ formats }) => formats.totals[kind] || []);
    const total = (name) => sums.reduce((all, sum) => all + sum[name].count, 0);
    const stray = total('stray');
    return sums.length === 0 ? []
      : [[`${words[0].toUpperCase()}${words.slice(1)}`, `${formatCount(total('after'))}${stray ? ` (${formatCount(stray)} stray)` : ''}`]];
  });
}
