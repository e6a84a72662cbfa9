import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { overlayEnvironment } from '../../../local/host/environmentOverlay.ts';

it('lets the newest overlay decide and leaves nothing behind, whatever the order of removal', () => {
  const name = fc.constantFrom('OVERLAY_A', 'OVERLAY_B', 'OVERLAY_C');
  const overlay = fc.record({
    values: fc.dictionary(name, fc.constantFrom('', 'x', 'y')),
    removal: fc.nat(),
  });
  fc.assert(
    fc.property(fc.array(overlay, { maxLength: 6 }), (overlays) => {
      process.env['OVERLAY_A'] = 'before';
      const active = overlays.map(({ values, removal }) => ({
        values,
        removal,
        undo: overlayEnvironment(values),
      }));
      for (const ending of active.toSorted((a, b) => a.removal - b.removal)) {
        assert.deepEqual(seen(), {
          OVERLAY_A: 'before',
          ...Object.assign({}, ...active.map(({ values }) => values)),
        });
        ending.undo();
        ending.undo();
        active.splice(active.indexOf(ending), 1);
      }
      assert.deepEqual(seen(), { OVERLAY_A: 'before' });
    }),
  );
});

function seen(): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('OVERLAY_')));
}
