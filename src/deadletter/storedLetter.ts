import type { MessageSource } from '../model/message.ts';

/** What is known of a dead letter without its content. */
export interface StoredLetter {
  /** `<day>/<reason code>/<partition>-<sequence number>-<digest>`. */
  readonly name: string;
  /** `yyyy-mm-dd`; empty in a name of another form, as is the reason. */
  readonly day: string;
  readonly reason: string;
  /** What was found, without values. */
  readonly message?: string;
  /** `db.schema.name`. */
  readonly table?: string;
  /** Key columns as JSON; cut when they are very long. */
  readonly key?: string;
  readonly source: MessageSource;
  /** When it was put aside: UTC, ISO 8601. */
  readonly keptTime?: string;
  readonly bytes: number;
}

/** What the service tells of a blob. */
export interface BlobFacts {
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  readonly lastModified?: Date | undefined;
  readonly contentLength?: number | undefined;
}

/**
 * Reads a dead letter's name and metadata back. Day and reason are those of the name: a letter that is put aside
 * for another reason has another name.
 */
export function storedLetter(
  name: string,
  { metadata = {}, lastModified, contentLength }: BlobFacts,
): StoredLetter {
  const [day = '', reason = '', ...rest] = name.split('/');
  const wellFormed = rest.length > 0 && dayForm.test(day);
  const texts = {
    message: decode(metadata['message']),
    table: decode(metadata['table']),
    key: decode(metadata['key']),
    keptTime: lastModified?.toISOString(),
  };
  const source = {
    hub: decode(metadata['hub']),
    partition: decode(metadata['partition']),
    sequenceNumber: decode(metadata['sequencenumber']),
    offset: decode(metadata['offset']),
    enqueuedTime: decode(metadata['enqueuedtime']),
  };
  return {
    name,
    day: wellFormed ? day : '',
    reason: wellFormed ? reason : '',
    ...present(texts),
    source: present(source),
    bytes: contentLength ?? 0,
  };
}

const dayForm = /^\d{4}-\d{2}-\d{2}$/;

/** Text that somebody put there without encoding it stays as it is. */
function decode(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

type Present<Texts> = { readonly [Name in keyof Texts]?: string };

function present<Texts extends Readonly<Record<string, string | undefined>>>(texts: Texts): Present<Texts> {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined)) as Present<Texts>;
}
