/** The reader's choices, which the browser keeps for all pages of the sandbox. */

/** Returns null if the browser refuses the storage, as it may in a private window. */
export function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function store(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // The choice then applies to this page only.
  }
}
