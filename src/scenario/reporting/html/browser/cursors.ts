/** The line at the displayed instant on each drawing with a time axis; a click on a drawing selects its time. */

export interface TimeCursor {
  moveTo(t: number): void;
}

export function cursorsOf(goTo: (t: number) => void): TimeCursor[] {
  return [...document.querySelectorAll<SVGSVGElement>('svg.timed')].map((svg) => {
    const line = svg.querySelector('.cursor') as SVGLineElement;
    const of = (name: string): number => Number(svg.dataset[name]);
    const [width, gutter, margin, from, end] = [of('width'), of('gutter'), of('margin'), of('from'), of('end')];
    const length = width - gutter - margin;
    svg.addEventListener('click', (event) => {
      if ((event.target as Element).closest('a') !== null) return;
      const { left, width: shown } = svg.getBoundingClientRect();
      const x = ((event.clientX - left) / shown) * width;
      goTo(from + Math.max(0, Math.min(1, (x - gutter) / length)) * (end - from));
    });
    return {
      moveTo: (t) => {
        const share = (t - from) / Math.max(1, end - from);
        line.classList.toggle('outside', share < 0 || share > 1);
        const x = String(gutter + Math.max(0, Math.min(1, share)) * length);
        line.setAttribute('x1', x);
        line.setAttribute('x2', x);
      },
    };
  });
}
