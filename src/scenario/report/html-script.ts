/** What makes a report move: a slider through time over the map and the lanes. Everything else stands without it. */

/** Runs in any browser of the last years, from a file, with nothing loaded. */
export const SCRIPT = `
(async () => {
const packed = document.getElementById('tracks');
const bytes = Uint8Array.from(atob(packed.textContent), (c) => c.charCodeAt(0));
const text = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).text();
const { endMs, tracks } = JSON.parse(text);
const people = [...document.querySelectorAll('.person')].map((node) => {
  const { left, top, scale } = node.ownerSVGElement.dataset;
  return { node, left: +left, top: +top, scale: +scale, points: tracks[node.dataset.track] };
});
const cursors = [...document.querySelectorAll('.cursor')];
const slider = document.querySelector('.time input');
const shown = document.querySelector('.time time');
const button = document.querySelector('.time button');
slider.max = endMs;
const two = (n) => String(n).padStart(2, '0');
const clock = (t) => two(Math.floor(t / 3600000)) + ':' + two(Math.floor(t / 60000) % 60) + ':' + two(Math.floor(t / 1000) % 60);
function at(points, t) {
  let low = 0, high = points.length / 3 - 1;
  while (low < high) { const mid = (low + high + 1) >> 1; if (points[mid * 3] <= t) low = mid; else high = mid - 1; }
  const i = low * 3;
  if (i + 3 >= points.length || points[i] > t) return [points[i + 1], points[i + 2]];
  const share = Math.min(1, (t - points[i]) / (points[i + 3] - points[i]));
  // Who stood still for long did not creep all that time.
  if (points[i + 3] - points[i] > 30000) return [points[i + 1], points[i + 2]];
  return [points[i + 1] + share * (points[i + 4] - points[i + 1]), points[i + 2] + share * (points[i + 5] - points[i + 2])];
}
function show(t) {
  for (const { node, left, top, scale, points } of people) {
    const [x, y] = at(points, t);
    node.setAttribute('transform', 'translate(' + (left + x * scale).toFixed(1) + ' ' + (top - y * scale).toFixed(1) + ')');
  }
  const x = GUTTER + (endMs === 0 ? 0 : t / endMs) * (WIDTH - GUTTER - 12);
  for (const cursor of cursors) { cursor.setAttribute('x1', x); cursor.setAttribute('x2', x); }
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
  const box = svg.getBoundingClientRect();
  const x = ((event.clientX - box.left) / box.width) * WIDTH;
  pause(); show(Math.max(0, Math.min(endMs, ((x - GUTTER) / (WIDTH - GUTTER - 12)) * endMs)));
});
document.body.classList.add('live');
show(endMs);
})();
`;
