import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const file = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const page = file('docs/deploy.md');
const costs = file('docs/costs.md');
const readme = file('README.md');
const template = file('infra/main.bicep');

test('every calculation on the page of costs is right as far as it is shown', () => {
  const number = String.raw`\$?\d[\d,]*(?:\.\d+)?`;
  const term = String.raw`${number}(?: (?:h|s|GB|RU)\b)?(?: per [\d,]+(?: RU/s)?)?`;
  const found = [...costs.matchAll(new RegExp(`(${term}(?: [×÷] ${term})+) = (${number})`, 'g'))];
  // One that is written in another way would not be checked.
  assert.equal(found.length, [...costs.matchAll(/[×÷][^=|;]*=/g)].length);
  assert.ok(found.length >= 20, `${found.length} calculations`);
  for (const [calculation, left = '', shown = ''] of found) {
    const [first = '', ...rest] = left.replaceAll(/ per [\d,]+/g, '').split(/ (?=[×÷])/);
    const result = rest.reduce(
      (value, step) => (step.startsWith('×') ? value * numberIn(step) : value / numberIn(step)),
      numberIn(first),
    );
    const decimals = shown.split('.')[1]?.length ?? 0;
    assert.ok(
      Math.abs(result - numberIn(shown)) <= 0.5 * 10 ** -decimals + 1e-9,
      `${calculation}: ${result}`,
    );
  }
});

test('every sum is the sum of its column', () => {
  const tables = costs.split('\n\n').filter((part) => part.includes('| **Sum** |'));
  assert.equal(tables.length, 2);
  for (const table of tables) {
    const rows = table.split('\n').map((row) =>
      row
        .split('|')
        .slice(3, -1)
        .map((cell) => cell.trim()),
    );
    const sums = rows.find((row) => row.some((cell) => cell.startsWith('**$'))) ?? [];
    for (const [column, sum] of sums.entries()) {
      const parts = rows.map((row) => row[column] ?? '').filter((cell) => cell.startsWith('$'));
      const cents = parts.reduce((total, cell) => total + Math.round(numberIn(cell) * 100), 0);
      assert.equal(cents, Math.round(numberIn(sum) * 100));
    }
  }
});

test('batches are calculated as large as host.json makes them', () => {
  const { maxEventBatchSize } = JSON.parse(file('host.json')).extensions.eventHubs;
  assert.ok(costs.includes(`full batches of ${maxEventBatchSize} | 1,000,000 ÷ ${maxEventBatchSize} =`));
});

test('what the page says of the templates is in them', () => {
  const outputs = [...page.matchAll(/properties\.outputs\.(\w+)/g)].map(([, name]) => name);
  assert.ok(outputs.includes('functionAppName') && outputs.includes('eventHubNamespace'));
  for (const name of [...outputs, 'senderPolicy'])
    assert.match(template, new RegExp(`^output ${name} `, 'm'));
  for (const name of ['senderPrincipalId', 'operatorPrincipalId', 'privateNetworking', 'maskSaltUri']) {
    assert.ok(page.includes(`\`${name}`));
    assert.match(template, new RegExp(`^param ${name} `, 'm'));
  }
  const options = file('infra/options.bicep');
  for (const [, option = ''] of `${page}${costs}`.matchAll(/`(?:eventHub|cosmos|app)\.(\w+)`/g))
    assert.match(options, new RegExp(`^ {2}${option}: `, 'm'));
  const copied = 'infra/mine.bicepparam';
  for (const [, name = ''] of page.matchAll(/(infra\/\w+\.bicepparam)/g)) if (name !== copied) file(name);
  // A copy that git does not see: a pull never meets it.
  assert.ok(
    page.includes(`cp infra/dev.bicepparam ${copied}`) &&
      readme.includes(`cp infra/dev.bicepparam ${copied}`),
  );
  assert.ok(file('.gitignore').split('\n').includes(`/${copied}`));
  for (const [, name = ''] of page.matchAll(/\]\(\.\.\/(infra\/[\w/]+\.bicep)\)/g)) file(name);
});

test('what it says of azd is what azd reads', () => {
  const parameters = file('infra/main.bicepparam');
  const names = [...page.matchAll(/azd env set (\w+)/g)].map(([, name = '']) => name);
  assert.ok(names.length >= 3);
  for (const name of names) assert.ok(parameters.includes(`readEnvironmentVariable('${name}'`), name);
  const service = /^services:\n(?: {2}#.*\n)* {2}(\w+):/m.exec(file('azure.yaml'))?.[1];
  assert.ok(file('infra/modules/functionApp.bicep').includes(`'azd-service-name': '${service}'`));
});

test('every npm command of the page and the README exists, and both have the same three commands', () => {
  const { scripts } = JSON.parse(file('package.json'));
  const used = [...`${page}${readme}`.matchAll(/npm run (?:--silent )?([a-z]+)/g)].map(
    ([, name = '']) => name,
  );
  for (const name of used) assert.ok(name in scripts, name);
  const commands = (text: string): string =>
    /^az group create[\s\S]*?--no-build\)/m
      .exec(text)?.[0]
      .replaceAll(/^(#.*)?\n/gm, '')
      .trim() ?? '';
  assert.match(commands(readme), /npm run package[\s\S]*functionAppName[\s\S]*func azure/);
  assert.equal(commands(page), commands(readme));
});

test('every command of the pages can be pasted into bash, and stays in the folder', () => {
  const blocks = [...`${page}\n${readme}`.matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)].map(
    ([, text = '']) => text,
  );
  assert.ok(blocks.length >= 15);
  for (const block of blocks) {
    const { status, stderr } = spawnSync('bash', ['-n'], { input: block.replaceAll(/<[^<>\n]+>/g, 'x') });
    assert.equal(status, 0, `${block}${stderr}`);
    assert.doesNotMatch(block, /^cd /m);
  }
  // What is not said to be put in is in a variable: bash takes <...> for files.
  assert.doesNotMatch(page, /<function app>|<namespace/);
});

test('T-SQL that goes into a file has no line of npm in it', () => {
  const pages = `${page}${readme}${file('docs/sql.md')}`.replaceAll(/\\\n */g, '');
  const printed = [...pages.matchAll(/^ *(npm run .*\bsql\b.*)$/gm)].map(([, command = '']) => command);
  assert.ok(printed.length >= 5);
  for (const command of printed) {
    assert.match(command, /^npm run --silent ops -- sql /);
    const setsUp = !/--(seed|disable)/.test(command);
    assert.equal(setsUp, command.includes('--namespace') && command.includes('--hub'), command);
  }
});

test('links between the pages lead to headings', () => {
  for (const name of ['README.md', 'docs/deploy.md', 'docs/costs.md', 'docs/sql.md', 'docs/operations.md']) {
    for (const [link, target = '', anchor = ''] of file(name).matchAll(/\]\(([\w./-]*)#([\w-]+)\)/g)) {
      const folder = name.startsWith('docs/') && !target.startsWith('../') ? 'docs/' : '';
      const text = file(target === '' ? name : `${folder}${target.replace('../', '')}`);
      const anchors = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
        title
          .toLowerCase()
          .replaceAll(/[^\w -]/g, '')
          .replaceAll(' ', '-'),
      );
      assert.ok(anchors.includes(anchor), `${name}: ${link}`);
    }
  }
});

function numberIn(text: string | undefined): number {
  return Number(/\d[\d,]*(?:\.\d+)?/.exec(text ?? '')?.[0].replaceAll(',', ''));
}
