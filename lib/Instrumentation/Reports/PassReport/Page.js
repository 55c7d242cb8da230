// ----- The passes as a list, with what the filter looks at.

const passes = [];

function collect(pass, parent, depth, module) {
  const entry = { pass, parent, depth, module, children: [], item: null, body: null };
  passes.push(entry);
  entry.children = pass.passes.map((child) => collect(child, entry, depth + 1, module));
  return entry;
}

const nameOfChange = (change) => (change.kind === 'definitions' ? '' : '@') + change.function;
const textOfChange = (change) =>
  [nameOfChange(change), ...change.hunks.flatMap((hunk) => hunk.lines)].join('\n').toLowerCase();
/// A group shows what is in it, and is looked for by name alone.
const textOfPass = (pass) =>
  [pass.name, pass.argument,
    ...(pass.kind === 'group' ? []
      : [pass.text, pass.failedOn || '', ...Object.keys(pass.operations.changes), ...Object.keys(pass.rewrites),
        ...Object.keys(pass.layers)])]
    .join('\n').toLowerCase();

const matchesItself = (entry, wanted) => {
  entry.text = entry.text || textOfPass(entry.pass);
  return entry.text.includes(wanted);
};
const changeMatches = (change, wanted) => {
  change.text = change.text || textOfChange(change);
  return change.text.includes(wanted);
};

// ----- Diffs.

const tokenize = (line) => line.match(/[\w.]+|\s+|[^\w\s]/g) || [];

/// Larger tables of common subsequences are not worth their time.
const maxTable = 1000000;

/// Which tokens of two lists are not in their longest common subsequence.
function compareMiddle(a, b) {
  const removed = new Array(a.length).fill(true);
  const added = new Array(b.length).fill(true);
  if (a.length * b.length > maxTable)
    return [removed, added];
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; --i)
    for (let j = b.length - 1; j >= 0; --j)
      lengths[i][j] =
        a[i] === b[j] ? lengths[i + 1][j + 1] + 1 : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) {
      removed[i++] = false;
      added[j++] = false;
    } else if (lengths[i + 1][j] >= lengths[i][j + 1]) {
      ++i;
    } else {
      ++j;
    }
  }
  return [removed, added];
}

/// Which tokens of two lines differ.
function compareTokens(a, b) {
  const least = Math.min(a.length, b.length);
  let head = 0;
  while (head < least && a[head] === b[head])
    ++head;
  let tail = 0;
  while (tail < least - head && a[a.length - 1 - tail] === b[b.length - 1 - tail])
    ++tail;
  const same = (length) => new Array(length).fill(false);
  return compareMiddle(a.slice(head, a.length - tail), b.slice(head, b.length - tail))
    .map((middle) => [...same(head), ...middle, ...same(tail)]);
}

/// The text, or its ends and a button that shows the rest.
function shorten(text, limit) {
  if (text.length <= limit)
    return [text];
  const [head, tail] = [Math.floor(limit / 2), Math.floor(limit / 4)];
  const rest = text.slice(head, text.length - tail);
  const button = el('button', { type: 'button', class: 'more', 'aria-label': `Show ${count(rest.length, 'character')} more` }, '⋯');
  button.addEventListener('click', () => button.replaceWith(rest));
  return [text.slice(0, head), button, text.slice(text.length - tail)];
}
const sameLimit = 300;
const differentLimit = 1500;

function markTokens(cell, tokens, isMarked) {
  for (let i = 0; i < tokens.length; ) {
    let end = i + 1;
    while (end < tokens.length && isMarked[end] === isMarked[i])
      ++end;
    const text = tokens.slice(i, end).join('');
    cell.append(...(isMarked[i] ? [el('mark', {}, ...shorten(text, differentLimit))] : shorten(text, sameLimit)));
    i = end;
  }
}

/// The name that a line binds: `%3` of `%3 = …`, `%x` of `let %x = …`.
const boundName = (line) => (line.match(/^\s*(?:let )?(%[\w.]+)/) || [])[1];

/// Rows of removed and added lines. Those that bind the same name stand side by side and are the same operation.
function pairLines(removed, added) {
  const rows = [];
  const names = new Map(added.map((line, index) => [boundName(line), index]));
  let nextRemoved = 0;
  let nextAdded = 0;
  const flush = (removedEnd, addedEnd) => {
    while (nextRemoved < removedEnd || nextAdded < addedEnd)
      rows.push({
        before: nextRemoved < removedEnd ? removed[nextRemoved++] : undefined,
        after: nextAdded < addedEnd ? added[nextAdded++] : undefined,
        same: false,
      });
  };
  removed.forEach((line, index) => {
    const name = boundName(line);
    const partner = name === undefined ? undefined : names.get(name);
    if (partner === undefined || partner < nextAdded)
      return;
    flush(index, partner);
    rows.push({ before: removed[nextRemoved++], after: added[nextAdded++], same: true });
  });
  flush(removed.length, added.length);
  return rows;
}

function renderPair({ before, after, same }, numbers) {
  const old = el('td', { class: before === undefined ? 'none' : 'removed' });
  const now = el('td', { class: after === undefined ? 'none' : 'added' });
  if (same) {
    const [a, b] = [tokenize(before), tokenize(after)];
    const [removed, added] = compareTokens(a, b);
    markTokens(old, a, removed);
    markTokens(now, b, added);
  } else {
    old.append(...shorten(before || '', differentLimit));
    now.append(...shorten(after || '', differentLimit));
  }
  return el('tr', {},
    el('td', { class: 'number' }, before === undefined ? '' : String(numbers.before++)), old,
    el('td', { class: 'number' }, after === undefined ? '' : String(numbers.after++)), now);
}

function renderHunk(hunk, body) {
  const numbers = { before: hunk.before, after: hunk.after };
  let removed = [];
  let added = [];
  const flush = () => {
    for (const row of pairLines(removed, added))
      body.append(renderPair(row, numbers));
    removed = [];
    added = [];
  };
  for (const line of hunk.lines) {
    const text = line.slice(1);
    if (line[0] === '-') {
      removed.push(text);
    } else if (line[0] === '+') {
      added.push(text);
    } else {
      flush();
      body.append(el('tr', {},
        el('td', { class: 'number' }, String(numbers.before++)), el('td', { class: 'same' }, ...shorten(text, sameLimit)),
        el('td', { class: 'number' }, String(numbers.after++)), el('td', { class: 'same' }, ...shorten(text, sameLimit))));
    }
  }
  flush();
}

function renderDiff(change, passName) {
  const body = el('tbody');
  change.hunks.forEach((hunk, index) => {
    if (index > 0)
      body.append(el('tr', { class: 'gap' }, el('td', { colspan: 4 }, '⋯')));
    renderHunk(hunk, body);
  });
  return el('table', { class: 'diff' },
    el('caption', { class: 'spoken' }, `${nameOfChange(change)} before and after ${passName}`),
    el('colgroup', {}, el('col', { class: 'number-column' }), el('col'), el('col', { class: 'number-column' }), el('col')),
    el('thead', {}, el('tr', {},
      el('th'), el('th', { scope: 'col' }, 'before'), el('th'), el('th', { scope: 'col' }, 'after'))),
    body);
}

// ----- One function of one pass.

const limitsText =
  `the report keeps at most ${formatCount(report.limits.linesPerFunction)} lines a function and ` +
  `${formatCount(report.limits.linesPerPass)} a pass`;

const changeWords = {
  added: 'new function', removed: 'function removed', changed: '', definitions: 'types and attributes',
};

function renderChange(change, passName, open) {
  const title = el('code', {}, nameOfChange(change));
  const details = el('details', { class: 'function' },
    el('summary', {}, title,
      changeWords[change.kind] && el('span', { class: 'badge' }, changeWords[change.kind]),
      el('span', { class: 'lines' }, `+${formatCount(change.linesAdded)} −${formatCount(change.linesRemoved)}`)));
  const fill = () => {
    if (!details.open || details.children.length > 1)
      return;
    if (change.hunks.length)
      details.append(renderDiff(change, passName));
    if (change.linesOmitted)
      details.append(el('p', { class: 'rest' },
        `${count(change.linesOmitted, 'changed line')} not shown: ${limitsText}.`));
  };
  details.addEventListener('toggle', fill);
  details.open = open;
  fill();
  return details;
}

// ----- One pass.

function metric(label, text, attributes) {
  const empty = text === '';
  return el('span', { ...attributes, class: `${(attributes || {}).class || ''}${empty ? ' empty' : ''}` },
    empty ? '' : el('span', { class: 'label' }, `${label} `), text);
}

const statusWords = { changed: 'changed', unchanged: '', skipped: 'skipped', failed: 'failed' };

const functionsText = (pass) =>
  pass.kind === 'function' && pass.runs > 0
    ? `${formatCount(pass.functionsChanged)} of ${formatCount(pass.runs)}`
    : pass.functionsChanged > 0 ? formatCount(pass.functionsChanged) : '';

function operationsText(pass) {
  const { before, after } = pass.operations;
  return pass.status === 'skipped' ? '' : before === after ? formatCount(after)
    : `${formatCount(after)} (${formatDelta(after - before)})`;
}

const countRewrites = (pass) => Object.values(pass.rewrites).reduce((total, n) => total + n, 0);

function renderRow(entry) {
  const { pass, module } = entry;
  const ran = pass.status !== 'skipped';
  const share = module.totalNs > 0 ? pass.totalNs / module.totalNs : 0;
  const total = metric('total', ran ? formatTime(pass.totalNs) : '', { class: 'share', title: ran && formatShare(share) });
  total.style.setProperty('--share', `${Math.min(100, 100 * share)}%`);
  const rewrites = countRewrites(pass);
  const memory = pass.memory.arenaBytesAfter - pass.memory.arenaBytesBefore;
  return el('summary', { class: 'row' },
    el('span', { class: 'name' }, pass.name,
      statusWords[pass.status] && el('span', { class: `badge ${pass.status}` }, statusWords[pass.status])),
    total,
    metric('self', ran ? formatTime(pass.selfNs) : ''),
    metric('functions changed', functionsText(pass)),
    metric('operations', operationsText(pass)),
    metric('rewrites', rewrites ? formatCount(rewrites) : ''),
    metric('IR memory', memory ? formatBytesDelta(memory) : ''));
}

function renderFacts(pass) {
  const { memory } = pass;
  const facts = [
    el('li', {}, el('code', {}, pass.text)),
    pass.kind === 'function' && pass.runs > 1 ? el('li', {}, `ran on ${count(pass.runs, 'function')}`) : '',
    el('li', {}, `peak memory of the process ${formatBytes(memory.peakBytes)}`),
    el('li', {}, `memory of the IR ${formatBytes(memory.arenaBytesBefore)} → ${formatBytes(memory.arenaBytesAfter)}`),
  ];
  return el('ul', { class: 'facts' }, ...facts);
}

/// A heading and a list of names with numbers; nothing where there are none.
function renderCounts(title, counts, format) {
  const entries = Object.entries(counts);
  return entries.length === 0 ? [] : [el('h3', {}, title), el('ul', { class: 'counts' }, ...entries.map(([name, n]) =>
    el('li', {}, el('code', {}, name), ` ${format(n)}`)))];
}

const pageSize = 50;

/// The functions that changed, some at a time.
function renderChanges(pass, changes) {
  const list = el('div');
  const more = el('button', { type: 'button' });
  let shown = 0;
  const show = () => {
    const next = changes.slice(shown, shown + pageSize);
    for (const change of next)
      list.append(renderChange(change, pass.name, shown === 0 && changes.length <= 3));
    shown += next.length;
    more.hidden = shown === changes.length;
    more.textContent = `Show more functions (${formatCount(changes.length - shown)})`;
  };
  more.addEventListener('click', show);
  show();
  return [list, more];
}

function fillBody(entry, wanted) {
  const { pass } = entry;
  if (pass.status === 'skipped') {
    entry.body.replaceChildren(el('p', {}, el('code', {}, pass.text), ' did not run.'));
    return;
  }
  const changes = !wanted || matchesItself(entry, wanted) ? pass.changes
    : pass.changes.filter((change) => changeMatches(change, wanted));
  const left = pass.functionsChanged - pass.changes.filter((change) => change.kind !== 'definitions').length;
  entry.body.replaceChildren(
    pass.status === 'failed' ? el('p', { class: 'note failed' }, `Failed on ${pass.failedOn}.`) : '',
    renderFacts(pass),
    ...renderCounts('Operations', pass.operations.changes, formatDelta),
    ...renderCounts('Rewrites', pass.rewrites, formatCount),
    ...renderCounts('Rewrites by layer', pass.layers, formatCount),
    ...(changes.length ? [el('h3', {}, 'Changes'), ...renderChanges(pass, changes)] : []),
    left > 0 && pass.passes.length === 0
      ? el('p', { class: 'rest' }, `${count(left, 'changed function')} more without a diff here.`) : '');
}

function renderPass(entry, open) {
  const { pass, depth } = entry;
  entry.body = el('div', { class: 'body' });
  const inner = el('ol', { class: 'passes' }, ...entry.children.map((child) => renderPass(child, open)));
  entry.details = el('details', {}, renderRow(entry), entry.body, entry.children.length ? inner : '');
  entry.item = el('li', { class: pass.status, id: `pass-${pass.id}` }, entry.details);
  entry.item.style.setProperty('--depth', depth);
  entry.details.addEventListener('toggle', () => {
    if (entry.details.open && !entry.body.childElementCount)
      fillBody(entry, wantedText());
  });
  if (entry.children.length || pass.status === 'failed' || (open && pass.status === 'changed'))
    openPass(entry);
  return entry.item;
}

function openPass(entry) {
  if (!entry.body.childElementCount)
    fillBody(entry, wantedText());
  entry.details.open = true;
}

// ----- The filter.

const wantedText = () => byId('filter').value.trim().toLowerCase();

function isWanted(entry, wanted, onlyChanged) {
  const { pass } = entry;
  if (onlyChanged && pass.status !== 'changed' && pass.status !== 'failed')
    return false;
  return !wanted || matchesItself(entry, wanted) || pass.changes.some((change) => changeMatches(change, wanted));
}

/// Shows the passes that are wanted, what encloses them, and what is in groups that are wanted by name.
function applyFilter() {
  const wanted = wantedText();
  const onlyChanged = byId('only-changed').checked;
  let found = 0;
  const leaves = passes.filter((entry) => !entry.children.length).length;
  const visit = (entry, inWantedGroup) => {
    const itself = isWanted(entry, wanted, onlyChanged) || (inWantedGroup && isWanted(entry, '', onlyChanged));
    const asGroup = inWantedGroup || (wanted !== '' && entry.children.length > 0 && matchesItself(entry, wanted));
    const inside = entry.children.map((child) => visit(child, asGroup)).some((shown) => shown);
    const shown = entry.children.length ? inside || (itself && wanted !== '') : itself;
    entry.item.hidden = !shown;
    if (shown && !entry.children.length)
      ++found;
    if (entry.body.childElementCount)
      fillBody(entry, wanted);
    return shown;
  };
  passes.filter((entry) => !entry.parent).forEach((entry) => visit(entry, false));
  byId('matches').textContent = wanted || onlyChanged ? `${formatCount(found)} of ${count(leaves, 'pass', 'passes')}` : '';
}

// ----- The page.

function renderHead() {
  const { modules } = report;
  const sum = (get) => modules.reduce((total, module) => total + get(module), 0);
  const leaves = passes.filter((entry) => !entry.children.length);
  const ran = leaves.filter((entry) => entry.pass.status !== 'skipped');
  const [before, after] = [sum((module) => module.operationsBefore), sum((module) => module.operationsAfter)];
  const figures = [
    ['Status', report.status],
    ['Passes run', formatCount(ran.length)],
    ['With changes', formatCount(ran.filter((entry) => entry.pass.status === 'changed').length)],
    ['Time in passes', formatTime(sum((module) => module.totalNs))],
    ['Operations', before === after ? formatCount(after) : `${formatCount(before)} → ${formatCount(after)}`],
    ['Rewrites', formatCount(ran.reduce((total, entry) => total + countRewrites(entry.pass), 0))],
    ...formatFigures(modules),
    ['Peak memory', formatBytes(report.peakBytes)],
  ];
  document.title = `Pass report: ${report.input}`;
  byId('what').append(el('code', {}, report.input), report.pipeline ? ' through ' : '',
    report.pipeline ? el('code', {}, report.pipeline) : '');
  byId('figures').append(...figures.map(([title, value]) => el('div', {}, el('dt', {}, title), el('dd', {}, value))));
  byId('made-by').textContent = `${report.tool}, ${report.schema} version ${report.version}`;
}

function renderFailure() {
  const failed = passes.filter((entry) => entry.pass.status === 'failed' && !entry.children.length);
  if (report.status !== 'failed')
    return;
  const where = byId('failure');
  where.hidden = false;
  where.append(failed.length ? 'The pipeline failed in ' : 'Failed outside of any pass.');
  failed.forEach((entry, index) => where.append(index ? ', ' : '',
    el('a', { href: `#pass-${entry.pass.id}` }, entry.pass.name), ` on ${entry.pass.failedOn}`));
  where.append(failed.length ? '.' : '');
  for (const message of report.modules.flatMap((module) => module.errors))
    where.append(el('pre', {}, message));
}

function renderOmitted() {
  const changes = passes.flatMap((entry) => entry.pass.changes);
  const lines = changes.reduce((total, change) => total + change.linesOmitted, 0);
  const functions = passes.reduce((total, { pass }) => total + pass.functionsChanged - pass.changes.length, 0);
  if (!lines && !functions)
    return;
  byId('omitted').hidden = false;
  byId('omitted').textContent =
    'To keep this page small, ' +
    [lines && count(lines, 'changed line'), functions && count(functions, 'changed function')].filter(Boolean).join(' and ') +
    ` are left out: ${limitsText}, and ${formatCount(report.limits.functionsPerPass)} functions a pass.`;
}

function renderModule(module, index, entries) {
  const shownLines = entries.flatMap((entry) => entry.pass.changes).reduce((lines, change) => lines + change.linesAdded + change.linesRemoved, 0);
  const head = el('div', { class: 'row head', 'aria-hidden': 'true' },
    ...['Pass', 'Total', 'Self', 'Functions changed', 'Operations', 'Rewrites', 'IR memory'].map((title) => el('span', {}, title)));
  return el('section', {},
    el('h2', {}, report.modules.length > 1 ? `Pipeline on part ${index + 1}` : 'Pipeline'),
    entries.length ? head : el('p', {}, 'No pass was run.'),
    el('ol', { class: 'passes' }, ...entries.filter((entry) => !entry.parent).map((entry) => renderPass(entry, shownLines <= 200))));
}

function renderSlowest() {
  const sums = new Map();
  for (const { pass } of passes) {
    if (pass.status === 'skipped')
      continue;
    const sum = sums.get(pass.name) || { runs: 0, selfNs: 0, changed: 0 };
    sums.set(pass.name, { runs: sum.runs + pass.runs, selfNs: sum.selfNs + pass.selfNs, changed: sum.changed + pass.functionsChanged });
  }
  const all = [...sums.values()].reduce((total, sum) => total + sum.selfNs, 0);
  const rows = [...sums].sort(([, a], [, b]) => b.selfNs - a.selfNs).slice(0, 15);
  byId('slowest').hidden = rows.length === 0;
  byId('slowest').append(el('div', { class: 'scroll' }, el('table', { class: 'plain' },
    el('thead', {}, el('tr', {}, ...['pass', 'self', 'share', 'runs', 'functions changed'].map((title) => el('th', { scope: 'col' }, title)))),
    el('tbody', {}, ...rows.map(([name, sum]) => el('tr', {}, el('th', { scope: 'row' }, name),
      el('td', {}, formatTime(sum.selfNs)), el('td', {}, formatShare(all ? sum.selfNs / all : 0)),
      el('td', {}, formatCount(sum.runs)), el('td', {}, formatCount(sum.changed))))))));
}

function openLinked() {
  const entry = passes.find(({ pass }) => location.hash === `#pass-${pass.id}`);
  for (let outer = entry; outer; outer = outer.parent)
    openPass(outer);
  if (entry)
    entry.item.scrollIntoView();
}

function listen() {
  byId('tools').addEventListener('submit', (event) => event.preventDefault());
  byId('filter').addEventListener('input', applyFilter);
  byId('only-changed').addEventListener('change', applyFilter);
  byId('open-all').addEventListener('click', () => passes.forEach(openPass));
  byId('close-all').addEventListener('click', () =>
    passes.filter((entry) => !entry.children.length).forEach((entry) => { entry.details.open = false; }));
  window.addEventListener('hashchange', openLinked);
  document.addEventListener('keydown', (event) => {
    if (event.key === '/' && event.target === document.body) {
      event.preventDefault();
      byId('filter').focus();
    }
  });
}

const entriesOf = report.modules.map((module) => {
  const first = passes.length;
  module.passes.forEach((pass) => collect(pass, null, 0, module));
  return passes.slice(first);
});
renderHead();
renderFailure();
renderOmitted();
byId('modules').append(...report.modules.map((module, index) => renderModule(module, index, entriesOf[index])));
byId('formats').append(...report.modules.flatMap((module, index) => (hasFormats(module) ? [renderFormats(module, index)] : [])));
renderSlowest();
listen();
openLinked();
