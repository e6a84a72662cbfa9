import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const file = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const page = file('docs/deploy.md');
const readme = file('README.md');
const template = file('infra/main.bicep');

test('every calculation on the page is right as far as it is shown', () => {
  const number = String.raw`\$?\d[\d,]*(?:\.\d+)?`;
  const term = String.raw`${number}(?: (?:h|s|GB|RU)\b)?(?: per [\d,]+(?: RU/s)?)?`;
  const found = [...page.matchAll(new RegExp(`(${term}(?: [×÷] ${term})+) = (${number})`, 'g'))];
  // One that is written in another way would not be checked.
  assert.equal(found.length, [...page.matchAll(/[×÷][^=|;]*=/g)].length);
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
  const tables = page.split('\n\n').filter((part) => part.includes('| **Sum** |'));
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
  assert.ok(page.includes(`full batches of ${maxEventBatchSize} | 1,000,000 ÷ ${maxEventBatchSize} =`));
});

test('what the page says of the templates is in them', () => {
  const outputs = [...page.matchAll(/properties\.outputs\.(\w+)/g)].map(([, name]) => name);
  for (const name of [...outputs, 'eventHubNamespace', 'eventHubName', 'blobEndpoint', 'cosmosEndpoint'])
    assert.match(template, new RegExp(`^output ${name} `, 'm'));
  for (const name of ['senderPrincipalId', 'operatorPrincipalId', 'privateNetworking']) {
    assert.ok(page.includes(`\`${name}`));
    assert.match(template, new RegExp(`^param ${name} `, 'm'));
  }
  const options = file('infra/options.bicep');
  for (const [, option = ''] of page.matchAll(/`(?:eventHub|cosmos|app)\.(\w+)`/g))
    assert.match(options, new RegExp(`^ {2}${option}: `, 'm'));
  for (const [, name = ''] of page.matchAll(/(infra\/\w+\.bicepparam)/g)) file(name);
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
  const used = [...`${page}${readme}`.matchAll(/npm run ([a-z]+)/g)].map(([, name = '']) => name);
  for (const name of used) assert.ok(name in scripts, name);
  const commands = (text: string): string =>
    /az group create[\s\S]*?--no-build/
      .exec(text)?.[0]
      .replaceAll(/^(#.*)?\n/gm, '')
      .trim() ?? '';
  assert.match(commands(readme), /functionAppName[\s\S]*npm run package[\s\S]*func azure/);
  assert.equal(commands(page), commands(readme));
});

function numberIn(text: string | undefined): number {
  return Number(/\d[\d,]*(?:\.\d+)?/.exec(text ?? '')?.[0].replaceAll(',', ''));
}
