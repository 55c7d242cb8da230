// ----- The chosen module.

let module = null;
let wanted = [];

const regionOf = (operation) =>
  operation.region === undefined ? null : module.regions[operation.region];
const targetOf = (operation) => {
  const region = regionOf(operation);
  return region ? region.target : 'host';
};
const bytesText = (bytes, unknown) => (unknown ? `≥ ${formatBytes(bytes)}` : formatBytes(bytes));
const bytesIn = (sums) => bytesText(sums.bytesIn, sums.hasUnknownBytes);
const bytesOut = (sums) => bytesText(sums.bytesOut, sums.hasUnknownBytes);

// ----- Tables.

const cell = (text, kind) => el('td', kind ? { class: kind } : {}, text);
const number = (n) => cell(formatCount(n), 'number');

function fillTable(id, titles, rows, none) {
  const head = el('tr', {}, ...titles.map((title) => el('th', { scope: 'col' }, title)));
  byId(id).replaceChildren(el('thead', {}, head), el('tbody', {}, ...(rows.length ? rows
    : [el('tr', {}, el('td', { class: 'rest', colspan: titles.length }, none))])));
}

/// A button that shows operations in the picture.
function showButton(text, ids) {
  const button = el('button', { type: 'button' }, text);
  button.addEventListener('click', () => show(text, ids));
  return button;
}

const countOperations = ({ operators }) => number(Object.values(operators).reduce((sum, n) => sum + n, 0));
const listOperators = ({ operators }) =>
  cell(Object.entries(operators).sort((a, b) => b[1] - a[1]).map(([name, n]) => `${name} ${formatCount(n)}`).join(', '));

function renderTargets() {
  const host = el('tr', {}, cell('host'), cell(''), cell(''), countOperations(module.host), cell(''), cell(''), cell(''), listOperators(module.host));
  const rows = module.targets.map((target) => el('tr', {},
    cell(target.target),
    number(target.regions),
    number(target.calls),
    countOperations(target),
    cell(bytesIn(target), 'number'),
    cell(bytesOut(target), 'number'),
    cell(formatBytes(target.constantBytes), 'number'),
    listOperators(target)));
  fillTable('targets', ['Target', 'Regions', 'Calls', 'Operations', 'Bytes in', 'Bytes out', 'Bytes of constants', 'Operators'], [host, ...rows], '');
}

const reasonText = (why) => `${why.pass}: ${why.message}`;

function renderReasons(operation) {
  if (!operation.reasons.length)
    return el('td', { class: 'rest' }, 'no pass has reported a reason');
  return el('td', {}, el('ul', {}, ...operation.reasons.map((why) => el('li', {}, reasonText(why)))));
}

function renderHost() {
  const text = byId('filter').value.trim().toLowerCase();
  const matches = (operation) => !text || [operation.name, operation.position, ...operation.layers,
    ...operation.reasons.map(reasonText)].join('\n').toLowerCase().includes(text);
  const rows = module.operations
    .filter((operation) => operation.region === undefined && operation.offloadable && matches(operation))
    .map((operation) => el('tr', {},
      el('td', {}, showButton(operation.name, [operation.id])),
      cell(operation.layers.join(', ')), cell(operation.position), renderReasons(operation)));
  fillTable('host', ['Operation', 'Layers', 'Position', 'Reasons'], rows, text ? 'None matches.' : 'None.');
}

function renderLayers() {
  const layers = new Map();
  for (const operation of module.operations)
    for (const layer of operation.layers)
      if (layers.has(layer))
        layers.get(layer).push(operation);
      else
        layers.set(layer, [operation]);
  const rows = [...layers].map(([layer, operations]) => el('tr', {},
    el('td', {}, showButton(layer, operations.map((operation) => operation.id))),
    number(operations.length),
    cell([...new Set(operations.map(targetOf))].join(', '))));
  fillTable('layers', ['Layer', 'Operations', 'Targets'], rows, 'The operations name no layers.');
}

function renderRegions() {
  const rows = module.regions.map((region) => {
    const notMerged = [...new Set(region.operations.flatMap((id) => module.operations[id].reasons)
      .filter((why) => why.reason === 'not-merged').map(reasonText))];
    return el('tr', {},
      el('td', {}, showButton(`@${region.function}`, region.operations)),
      cell(region.target), number(region.calls), number(region.operations.length),
      cell(bytesIn(region), 'number'),
      cell(bytesOut(region), 'number'),
      el('td', {}, el('ul', {}, ...notMerged.map((text) => el('li', {}, text)))));
  });
  fillTable('regions', ['Region', 'Target', 'Calls', 'Operations', 'Bytes in', 'Bytes out', 'Not merged'], rows, 'No operation is offloaded.');
}

// ----- The picture. The view is a rectangle of it.

let svg = null;
let view = null;

function setView(x, y, width, height) {
  view = { x, y, width, height };
  svg.setAttribute('viewBox', `${x} ${y} ${width} ${height}`);
}

function fit() {
  if (svg)
    setView(0, 0, Number(svg.dataset.width), Number(svg.dataset.height));
}

/// Keeps the point (fx, fy) of the view, in shares of its size, where it is.
function zoom(factor, fx = 0.5, fy = 0.5) {
  if (!svg)
    return;
  const { x, y, width, height } = view;
  setView(x + width * fx * (1 - factor), y + height * fy * (1 - factor), width * factor, height * factor);
}

/// Marks operations and zooms to them.
function show(name, ids) {
  byId('shown').textContent = `${name}: ${count(ids.length, 'operation')}`;
  if (!svg)
    return;
  for (const box of wanted)
    box.classList.remove('wanted');
  wanted = ids.map((id) => svg.querySelector(`#op${id}`)).filter((box) => box);
  const boxes = wanted.map((box) => box.querySelector('rect')).map((rect) =>
    ['x', 'y', 'width', 'height'].map((key) => Number(rect.getAttribute(key))));
  if (!boxes.length)
    return;
  for (const box of wanted)
    box.classList.add('wanted');
  const margin = 80;
  const left = Math.min(...boxes.map(([x]) => x)) - margin;
  const top = Math.min(...boxes.map(([, y]) => y)) - margin;
  const right = Math.max(...boxes.map(([x, , width]) => x + width)) + margin;
  const bottom = Math.max(...boxes.map(([, y, , height]) => y + height)) + margin;
  setView(left, top, right - left, bottom - top);
  byId('picture').scrollIntoView({ block: 'center' });
}

function renderPicture(index) {
  const template = document.querySelectorAll('template.picture')[index];
  const picture = byId('picture');
  picture.replaceChildren(template.content.cloneNode(true));
  svg = picture.querySelector('svg');
  wanted = [];
  byId('shown').textContent = '';
  if (!svg) {
    picture.textContent = 'The module has too many operations for a picture.';
    return;
  }
  svg.dataset.width = svg.getAttribute('width');
  svg.dataset.height = svg.getAttribute('height');
  svg.removeAttribute('width');
  svg.removeAttribute('height');
  fit();
}

function followMouse() {
  const picture = byId('picture');
  picture.addEventListener('wheel', (event) => {
    event.preventDefault();
    const area = picture.getBoundingClientRect();
    zoom(event.deltaY > 0 ? 1.2 : 1 / 1.2, (event.clientX - area.left) / area.width, (event.clientY - area.top) / area.height);
  }, { passive: false });
  picture.addEventListener('pointermove', (event) => {
    if (!svg || !event.buttons)
      return;
    const area = picture.getBoundingClientRect();
    const scale = Math.max(view.width / area.width, view.height / area.height);
    setView(view.x - event.movementX * scale, view.y - event.movementY * scale, view.width, view.height);
  });
  picture.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] }[event.key];
    if (!svg || !step)
      return;
    event.preventDefault();
    setView(view.x + step[0] * view.width, view.y + step[1] * view.height, view.width, view.height);
  });
}

// ----- The page.

function renderHead() {
  const offloadable = module.operations.filter((operation) => operation.offloadable);
  const taken = offloadable.filter((operation) => operation.region !== undefined);
  const all = { bytesIn: 0, bytesOut: 0, hasUnknownBytes: false };
  for (const target of module.targets) {
    all.bytesIn += target.bytesIn;
    all.bytesOut += target.bytesOut;
    all.hasUnknownBytes ||= target.hasUnknownBytes;
  }
  const figures = [
    ['Operations offloaded', `${formatCount(taken.length)} of ${formatCount(offloadable.length)}`],
    ['Regions', formatCount(module.regions.length)],
    ['Bytes into regions', bytesIn(all)],
    ['Bytes out of regions', bytesOut(all)],
  ];
  byId('failed').hidden = !module.failed;
  byId('figures').replaceChildren(...figures.map(([name, text]) =>
    el('div', {}, el('dt', {}, name), el('dd', {}, text))));
}

function choose(index) {
  module = report.modules[index];
  renderHead();
  renderTargets();
  renderPicture(index);
  renderHost();
  renderLayers();
  renderRegions();
}

function start() {
  byId('what').append(el('code', {}, report.input), ', ', el('code', {}, report.pipeline || 'no passes'));
  byId('made-by').textContent = report.tool;
  if (!report.modules.length) {
    byId('failed').textContent = 'The input has errors.';
    byId('failed').hidden = false;
    return;
  }
  byId('modules').hidden = report.modules.length === 1;
  byId('module').append(...report.modules.map((_, i) => el('option', { value: String(i) }, String(i + 1))));
  byId('module').addEventListener('change', () => choose(Number(byId('module').value)));
  byId('filter').addEventListener('input', renderHost);
  byId('zoom-in').addEventListener('click', () => zoom(1 / 1.5));
  byId('zoom-out').addEventListener('click', () => zoom(1.5));
  byId('fit').addEventListener('click', fit);
  followMouse();
  choose(0);
}

start();
