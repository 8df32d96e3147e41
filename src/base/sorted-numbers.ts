/** Numbers in ascending order, searched by halves. */

/** How many of `count` numbers in ascending order are at most `most`. `numberAt`: the number at a place from 0. */
export function countUpTo(count: number, numberAt: (place: number) => number, most: number): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numberAt(middle) <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}
