/**
 * A value that only its sender may read: a URL with a token, a password, a key. Printing it or converting it to JSON
 * gives `<secret>`.
 */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  /** Returns the value itself, for the request that needs it. */
  reveal(): string {
    return this.#value
  }

  toString(): string {
    return '<secret>'
  }

  toJSON(): string {
    return '<secret>'
  }
}

/** Where a secret stands: in a file or in an environment variable. */
export type SecretSource = { readonly file: string } | { readonly env: string }

/** Reads a secret. An error that it throws is reported without its text. */
export type ReadSecret = (source: SecretSource) => string
