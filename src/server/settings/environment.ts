export interface Clock {
  /** Milliseconds since the epoch. */
  nowMs(): number
}

/** Structured log lines; the members of `fields` never hold a key or a body. */
export interface Logger {
  info(fields: Readonly<Record<string, unknown>>, message: string): void
  error(fields: Readonly<Record<string, unknown>>, message: string): void
}
