import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appSettingsType } from '../../../local/generate/appSettingsType.ts';

test('secrets are left out, and what they stand in for is required', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what Bicep would take for an expression.
  const setting = { put: "somebody's ${value}", example: '' };
  const text = appSettingsType({
    REQUIRED: { required: true, ...setting },
    OPTIONAL: { required: false, ...setting },
    ENDPOINT: { required: false, ...setting },
    CONNECTION: { required: false, secret: true, insteadOf: 'ENDPOINT', ...setting },
  });
  assert.equal(
    text,
    `@export()
@sealed()
type appSettings = {
  @description('somebody\\'s \\\${value}')
  REQUIRED: string

  @description('somebody\\'s \\\${value}')
  OPTIONAL: string?

  @description('somebody\\'s \\\${value}')
  ENDPOINT: string
}
`,
  );
});
