/** The command that runs one test again, as a shell takes it. */

/** What is known of a failed test. */
export interface FailedTest {
  /** From the root of the project, with slashes. */
  readonly file: string;
  /** The names of its groups and its own; empty: the file itself failed. */
  readonly names: readonly string[];
  /** A hook of the group failed, so none of its tests ran. */
  readonly isGroup?: boolean;
}

/** Characters that no shell changes. */
const PLAIN = /^[\w./:=@%+-]+$/;

export function quoted(word: string, platform: NodeJS.Platform = process.platform): string {
  if (PLAIN.test(word)) return word;
  // Between double quotes, cmd and PowerShell both take \" for a quote and change neither the other characters of a title nor ^.
  if (platform === 'win32') return `"${word.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`;
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** A pattern for `-t`, which finds this test and no other. A title may have line breaks, which a command should not have. */
const patternOf = ({ names, isGroup = false }: FailedTest): string =>
  `^${names
    .join(' ')
    .trim()
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replace(/\s*[\n\r]\s*/g, '\\s+')}${isGroup ? ' ' : '$'}`;

/** `isWhole`: the test failed with WHOLE=1, and its row may be one that only .ci/run runs. */
export function rerunCommand(
  failed: FailedTest,
  { isWhole, platform = process.platform }: { readonly isWhole: boolean; readonly platform?: NodeJS.Platform },
): string {
  // PowerShell and cmd have no syntax in common for a variable of one command.
  const isFlag = isWhole && platform === 'win32';
  const words = [...(isFlag ? ['npm', 'test', '--'] : ['npx', 'vitest', 'run']), quoted(failed.file, platform)];
  if (failed.names.length > 0) words.push('-t', quoted(patternOf(failed), platform));
  if (isFlag) words.push('--whole');
  return (isWhole && !isFlag ? 'WHOLE=1 ' : '') + words.join(' ');
}
