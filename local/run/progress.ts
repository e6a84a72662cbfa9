import { Listr, ListrLogger } from 'listr2';

/** Shows the steps of a run. */
export interface Progress {
  /** Shows `title` while `work` runs; `work` can change it. @throws what `work` throws */
  step<T>(title: string, work: Work<T>): Promise<T>;
}

type Work<T> = (retitle: (title: string) => void) => Promise<T>;

/** On standard output: a spinner in a terminal, plain lines elsewhere. */
export function visibleProgress(): Progress {
  return {
    step: async <T>(title: string, work: Work<T>): Promise<T> => {
      const { promise, resolve } = Promise.withResolvers<T>();
      await new Listr(
        [
          {
            title,
            task: async (_context, task) => {
              const retitle = (changed: string): void => {
                task.title = changed;
              };
              resolve(await work(retitle));
            },
          },
        ],
        {
          // Whoever presses Ctrl-C means the run, not the display of a step.
          registerSignalListeners: false,
          rendererOptions: { showErrorMessage: false },
          fallbackRenderer: 'simple',
          // Standard error is for what the user has to put right, in one line.
          fallbackRendererOptions: { logger: new ListrLogger({ useIcons: true, toStderr: [] }) },
          fallbackRendererCondition: () => !process.stdout.isTTY,
        },
      ).run();
      return promise;
    },
  };
}

export const silentProgress: Progress = {
  step: (_title, work) => work(() => {}),
};
