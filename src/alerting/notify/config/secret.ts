/** A secret such as a password, key, or URL with a token. It prints and serializes as `<secret>`. */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  /** Returns the secret itself; only for the request that needs it. */
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

/** Source of a secret: a file or an environment variable. */
export type SecretSource = { readonly file: string } | { readonly env: string }

/** Reads a secret. If it throws, the error is reported without its message. */
export type ReadSecret = (source: SecretSource) => string
