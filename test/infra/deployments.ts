import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import {
  field,
  INFRA,
  infraText,
  type Resource,
  type Snapshot,
  snapshotOf,
  withoutBicep,
} from '../support/bicep.ts';

/** Every parameter file that is delivered; a user's own is not looked at. */
export const parameterFiles = readdirSync(INFRA).filter(
  (name) => name.endsWith('.bicepparam') && name !== 'mine.bicepparam',
);

/** A parameter file with what its user has to put in: addresses that CES publishes from. */
export function filledIn(file: string): string {
  return infraText(file).replace('allowedIpRanges: []', "allowedIpRanges: ['20.0.113.0/29']");
}

/** What a parameter file leads to. Once per process. */
export function deploymentOf(file: string): Promise<Snapshot> {
  const known = deployments.get(file) ?? snapshotOf(filledIn(file));
  deployments.set(file, known);
  return known;
}

const deployments = new Map<string, Promise<Snapshot>>();

/** A test of what every parameter file leads to. */
export function testDeployments(name: string, check: (deployment: Snapshot) => void): void {
  for (const file of parameterFiles)
    test(`${file}: ${name}`, { skip: withoutBicep() }, async () => check(await deploymentOf(file)));
}

export function all({ resources }: Snapshot, type: string): readonly Resource[] {
  return resources.filter((resource) => resource.type === type);
}

/** The resource of a type, or the one of them whose name ends so. */
export function one(deployment: Snapshot, type: string, ending = ''): Resource {
  const found = all(deployment, type).filter(({ name }) => name.endsWith(ending));
  const [resource] = found;
  assert.ok(resource !== undefined && found.length === 1, `${found.length} of ${type} ...${ending}`);
  return resource;
}

/** Several values of a resource by their paths. */
export function fields(resource: Resource, ...paths: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(paths.map((path) => [path, field(resource, path)]));
}

/** An app setting as it would be set; undefined where it is not. */
export function appSettings(deployment: Snapshot): ReadonlyMap<string, string> {
  const settings = field(one(deployment, 'Microsoft.Web/sites'), 'properties.siteConfig.appSettings');
  assert.ok(Array.isArray(settings));
  return new Map(settings.map(({ name, value }) => [name, value]));
}

export function isPrivate(deployment: Snapshot): boolean {
  return all(deployment, 'Microsoft.Network/virtualNetworks').length > 0;
}
