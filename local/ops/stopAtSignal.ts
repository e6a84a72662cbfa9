/**
 * Lets Ctrl-C end a long command between two steps instead of in the middle of one. Further signals do nothing:
 * npm passes on a Ctrl-C that the terminal has sent too.
 */
export function stopAtSignal(): { readonly signal: AbortSignal; release(): void } {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  for (const name of SIGNALS) process.on(name, stop);
  return {
    signal: controller.signal,
    release: () => {
      for (const name of SIGNALS) process.off(name, stop);
    },
  };
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
