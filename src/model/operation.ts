export const operations = ['INS', 'UPD', 'DEL'] as const;

/** The CES `operation` attribute. */
export type Operation = (typeof operations)[number];

export function isOperation(text: string): text is Operation {
  return (operations as readonly string[]).includes(text);
}
