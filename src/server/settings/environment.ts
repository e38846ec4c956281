export interface Clock {
  /** Unix ms. */
  nowMs(): number
}

/** Structured log; `fields` never contain a key or a body. */
export interface Logger {
  info(fields: Readonly<Record<string, unknown>>, message: string): void
  error(fields: Readonly<Record<string, unknown>>, message: string): void
}
