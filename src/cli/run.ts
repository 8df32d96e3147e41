/** placeholder */
import type { Command } from 'commander';
export function defineRun(_program: Command, _ended: (code: number) => void): void {}
