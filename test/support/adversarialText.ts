import fc from 'fast-check';

/** Pieces that an encoding trips over: its own separators and escapes, and what the service or a URL cuts at. */
const pieces = [
  ...'.,:~/\\?#%+&=;\'"<>|*()[]{} \t\n\r\0',
  ...['~2F', '~u00E9', '~~', '2F', 'u', '%2F', '%d5', '..', '~7E', '\u00a0', '\u200d', '\ud800', '\udc00'],
  ...['é', 'e\u0301', '😀', 'ſ', 'ı', '\uffff', 'a', 'A', '1', '_', '-', 'x'.repeat(300)],
];

/** Texts of keys and names that break careless ids: some longer than an id may be, some not well-formed. */
export const adversarialText = fc.oneof(
  fc.string({ unit: fc.constantFrom(...pieces), maxLength: 6 }),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom('', ' ', '  '),
);
