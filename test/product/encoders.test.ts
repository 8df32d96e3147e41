/** The table of encoders is what the languages themselves write, each asked where it is installed. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type Lack, withoutMonoPart, withoutPrograms } from '../helpers/needs.ts';
import { withoutPart } from '../helpers/program-part.ts';
import { unless } from '../helpers/unless.ts';
import { ENCODED } from '../service/api/encoders.ts';

const folder = mkdtempSync(join(tmpdir(), 'muster-encoders-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Language {
  /** Rows of the table, in the order in which the program prints them: two lines each, the statuses and the contractors. */
  readonly rows: readonly string[];
  readonly file: string;
  readonly source: string;
  readonly commands: readonly (readonly string[])[];
  /** Why the language cannot be had here. */
  readonly without: () => Lack | null;
}

const LANGUAGES: Readonly<Record<string, Language>> = {
  Python: {
    rows: ['Python urlencode(doseq=True)', 'Python urlencode of a joined list'],
    file: 'e.py',
    source: `from urllib.parse import urlencode
S, C = ['acknowledged', 'resolved'], ['Acme, Inc.', 'Norte']
print(urlencode({'status': S}, doseq=True), urlencode({'contractor': C}, doseq=True), sep='\\n')
print(urlencode({'status': ','.join(S)}), urlencode({'contractor': ','.join(C)}), sep='\\n')`,
    commands: [['python3', 'e.py']],
    without: () => withoutPrograms('python3'),
  },
  'Python requests': {
    rows: ['Python requests 2 params={"status": list}', 'Python requests 2 params={"status": ",".join(list)}'],
    file: 'r.py',
    source: `from requests import Request
S, C = ['acknowledged', 'resolved'], ['Acme, Inc.', 'Norte']
for params in {'status': S}, {'contractor': C}, {'status': ','.join(S)}, {'contractor': ','.join(C)}:
    print(Request('GET', 'http://x/', params=params).prepare().url.split('?')[1])`,
    commands: [['/usr/bin/python3', 'r.py']],
    without: () =>
      withoutPart('requests of Python', 'apt-get install python3-requests', [
        '/usr/bin/python3',
        '-c',
        'import requests',
      ]),
  },
  Go: {
    rows: ['Go url.Values', 'Go url.Values.Set of a joined list'],
    file: 'e.go',
    source: `package main
import ("fmt"; "net/url"; "strings")
func main() {
  lists := map[string][]string{"status": {"acknowledged", "resolved"}, "contractor": {"Acme, Inc.", "Norte"}}
  for _, joined := range []bool{false, true} {
    for _, key := range []string{"status", "contractor"} {
      values := url.Values{key: lists[key]}
      if joined { values.Set(key, strings.Join(lists[key], ",")) }
      fmt.Println(values.Encode())
    }
  }
}`,
    commands: [['go', 'run', 'e.go']],
    without: () => withoutPrograms('go'),
  },
  Java: {
    rows: ['Java URLEncoder of a joined list'],
    file: 'E.java',
    source: `import java.net.URLEncoder;
import static java.nio.charset.StandardCharsets.UTF_8;
public class E {
  public static void main(String[] none) {
    System.out.println("status=" + URLEncoder.encode("acknowledged,resolved", UTF_8));
    System.out.println("contractor=" + URLEncoder.encode("Acme, Inc.,Norte", UTF_8));
  }
}`,
    commands: [['java', 'E.java']],
    without: () => withoutPrograms('java'),
  },
  Ruby: {
    rows: ['Ruby URI.encode_www_form of a list', 'Ruby URI.encode_www_form of a joined list'],
    file: 'e.rb',
    source: `require 'uri'
s, c = %w[acknowledged resolved], ['Acme, Inc.', 'Norte']
puts URI.encode_www_form(status: s), URI.encode_www_form(contractor: c)
puts URI.encode_www_form(status: s.join(',')), URI.encode_www_form(contractor: c.join(','))`,
    commands: [['ruby', 'e.rb']],
    without: () => withoutPrograms('ruby'),
  },
  PHP: {
    rows: [
      'PHP http_build_query of a list',
      'PHP http_build_query of a joined list',
      'PHP http_build_query of a joined list, RFC 3986',
    ],
    file: 'e.php',
    source: `<?php
$s = ['acknowledged', 'resolved']; $c = ['Acme, Inc.', 'Norte'];
echo http_build_query(['status' => $s]), "\\n", http_build_query(['contractor' => $c]), "\\n";
foreach ([PHP_QUERY_RFC1738, PHP_QUERY_RFC3986] as $kind)
  foreach (['status' => $s, 'contractor' => $c] as $key => $list) echo http_build_query([$key => implode(',', $list)], '', '&', $kind), "\\n";`,
    commands: [['php', 'e.php']],
    without: () => withoutPrograms('php'),
  },
  'C#': {
    rows: ['C# FormUrlEncodedContent of a joined list'],
    file: 'e.cs',
    source: `using System; using System.Collections.Generic; using System.Net.Http;
class E { static void Main() {
  foreach (var pair in new Dictionary<string, string> { { "status", "acknowledged,resolved" }, { "contractor", "Acme, Inc.,Norte" } })
    Console.WriteLine(new FormUrlEncodedContent(new[] { pair }).ReadAsStringAsync().Result);
} }`,
    commands: [
      ['mcs', '-r:System.Net.Http', 'e.cs'],
      ['mono', 'e.exe'],
    ],
    without: () => withoutPrograms('mcs', 'mono') ?? withoutMonoPart('Net.Http'),
  },
};

describe('the table of encoders', () => {
  for (const [language, { rows, file, source, commands, without }] of Object.entries(LANGUAGES)) {
    unless(without()).test(`is what ${language} writes`, () => {
      writeFileSync(join(folder, file), source);
      const written = commands.map(([command = '', ...words]) =>
        execFileSync(command, words, { cwd: folder, encoding: 'utf8' }),
      );
      const lines = (written.at(-1) ?? '').trim().split('\n');
      const expected = rows.flatMap((by) => {
        const row = ENCODED.find((one) => one.by === by);
        return [row?.status, row?.contractor];
      });
      expect(lines).toEqual(expected);
    });
  }

  test('is what Node writes', () => {
    const appended = (key: string, list: readonly string[]) =>
      new URLSearchParams(list.map((one): [string, string] => [key, one]));
    const [status, contractor] = [
      ['acknowledged', 'resolved'],
      ['Acme, Inc.', 'Norte'],
    ];
    const rowOf = (by: string) => ENCODED.find((one) => one.by === by);
    expect(rowOf('Node 20 URLSearchParams.append')).toMatchObject({
      status: appended('status', status).toString(),
      contractor: appended('contractor', contractor).toString(),
    });
    expect(rowOf('Node 20 new URLSearchParams({status: list})')).toMatchObject({
      status: new URLSearchParams({ status: String(status) }).toString(),
      contractor: new URLSearchParams({ contractor: String(contractor) }).toString(),
    });
  });
});
