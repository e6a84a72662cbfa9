/** Where results go: standard output, or what a test listens to. */
export interface Output {
  write(content: string | Uint8Array): unknown;
  /** Width of the terminal, if it is one. */
  readonly columns?: number;
}
