/** The script of a report: a time slider over the map and the lanes. */

/** Must run in any recent browser from a file, without dependencies. */
export const SCRIPT = `
(async () => {
// Some browsers ignore autofocus on an article.
const first = document.getElementById('failure-1');
if (first && !location.hash) { first.focus({ preventScroll: true }); first.scrollIntoView(); }
const packed = document.getElementById('tracks');
const bytes = Uint8Array.from(atob(packed.textContent), (c) => c.charCodeAt(0));
const text = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).text();
const { endMs, tracks, standing, people: names, statuses } = JSON.parse(text);
const people = [...document.querySelectorAll('.person[data-track]')].map((node) => {
  const svg = node.ownerSVGElement, { left, top, scale } = svg.dataset, { track } = node.dataset;
  const [use, label, title] = ['use', 'text', 'title'].map((name) => node.querySelector(name));
  return { node, svg, use, label, title, who: names[track], left: +left, top: +top, scale: +scale, points: tracks[track], standing: standing[track], status: -1, x: 0, y: 0 };
});
const cursors = [...document.querySelectorAll('.cursor')].map((node) => ({ node, ...sizeOf(node.ownerSVGElement) }));
const slider = document.querySelector('.time input');
const shown = document.querySelector('.time time');
const button = document.querySelector('.time button');
slider.max = endMs;
function sizeOf(svg) { return { width: +svg.dataset.width, gutter: +svg.dataset.gutter }; }
const two = (n) => String(n).padStart(2, '0');
const clock = (t) => two(Math.floor(t / 3600000)) + ':' + two(Math.floor(t / 60000) % 60) + ':' + two(Math.floor(t / 1000) % 60);
function at(points, t) {
  let low = 0, high = points.length / 3 - 1;
  while (low < high) { const mid = (low + high + 1) >> 1; if (points[mid * 3] <= t) low = mid; else high = mid - 1; }
  const i = low * 3;
  if (i + 3 >= points.length || points[i] > t) return [points[i + 1], points[i + 2]];
  const share = Math.min(1, (t - points[i]) / (points[i + 3] - points[i]));
  // Do not interpolate across a long stop.
  if (points[i + 3] - points[i] > 30000) return [points[i + 1], points[i + 2]];
  return [points[i + 1] + share * (points[i + 4] - points[i + 1]), points[i + 2] + share * (points[i + 5] - points[i + 2])];
}
function stand(person, status) {
  if (person.status === status) return;
  const [name, word] = statuses[status];
  person.status = status;
  person.node.setAttribute('class', 'person ' + name);
  person.use.setAttribute('href', '#is-' + name);
  person.title.textContent = person.who + ': ' + word;
}
// Places each name where it covers no other text, people in need first.
function placeNames() {
  for (const svg of document.querySelectorAll('svg.plant')) {
    const { width, height } = svg.viewBox.baseVal;
    const taken = [...svg.querySelectorAll('text.zone')].filter((text) => getComputedStyle(text).display !== 'none').map(boxOf);
    const near = people.filter((one) => one.svg === svg);
    const shapes = near.map(({ node, use, x, y }) => { const half = use.getBoundingClientRect().width / 2 / svg.getScreenCTM().a; return { node, left: x - half, right: x + half, top: y - half, bottom: y + half }; });
    const here = near.filter((one) => one.label).sort((a, b) => Number(a.status === 0 || a.status === 2) - Number(b.status === 0 || b.status === 2));
    for (const { node, label, x, y } of here) {
      label.style.display = '';
      const font = parseFloat(getComputedStyle(label).fontSize), far = font * 0.85;
      const wide = label.getComputedTextLength();
      const places = [[far, font * 0.35], [-far - wide, font * 0.35], [-wide / 2, -far], [-wide / 2, far + font * 0.75]];
      const place = places.find(([dx, dy]) => {
        const box = { left: x + dx - 2, right: x + dx + wide + 2, top: y + dy - font * 0.85, bottom: y + dy + font * 0.3 };
        if (box.left < 0 || box.right > width || box.top < 0 || box.bottom > height || taken.some((other) => hits(box, other)) || shapes.some((other) => other.node !== node && hits(box, other))) return false;
        taken.push(box);
        return true;
      });
      if (!place) { label.style.display = 'none'; continue; }
      label.setAttribute('x', place[0]);
      label.setAttribute('y', place[1]);
    }
  }
}
function boxOf(text) { const { x, y, width, height } = text.getBBox(); return { left: x, right: x + width, top: y, bottom: y + height }; }
function hits(a, b) { return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom; }
function show(t) {
  for (const person of people) {
    const { node, left, top, scale, points, standing } = person;
    const [x, y] = at(points, t);
    person.x = left + x * scale;
    person.y = top - y * scale;
    node.setAttribute('transform', 'translate(' + person.x.toFixed(1) + ' ' + person.y.toFixed(1) + ')');
    stand(person, (standing.findLast(([from]) => from <= t) || standing[0])[1]);
  }
  placeNames();
  for (const { node, width, gutter } of cursors) {
    const x = gutter + (endMs === 0 ? 0 : t / endMs) * (width - gutter - 12);
    node.setAttribute('x1', x);
    node.setAttribute('x2', x);
  }
  shown.textContent = clock(t);
  slider.value = t;
}
let playing = 0;
function play() {
  const from = +slider.value >= endMs ? 0 : +slider.value, mine = ++playing;
  let begun = null;
  button.textContent = 'Pause';
  const frame = (now) => {
    if (mine !== playing) return;
    begun ??= now;
    const t = Math.min(endMs, from + ((now - begun) / 20000) * endMs);
    show(t);
    if (t < endMs) requestAnimationFrame(frame); else pause();
  };
  requestAnimationFrame(frame);
}
function pause() { playing++; button.textContent = 'Play'; }
slider.addEventListener('input', () => { pause(); show(+slider.value); });
button.addEventListener('click', () => (button.textContent === 'Play' ? play() : pause()));
for (const svg of document.querySelectorAll('svg.timed')) svg.addEventListener('click', (event) => {
  if (event.target.closest('a')) return;
  const box = svg.getBoundingClientRect(), { width, gutter } = sizeOf(svg);
  const x = ((event.clientX - box.left) / box.width) * width;
  pause(); show(Math.max(0, Math.min(endMs, ((x - gutter) / (width - gutter - 12)) * endMs)));
});
addEventListener('resize', placeNames);
document.body.classList.add('live');
show(endMs);
})();
`;
