/**
 * Milliseconds that a test waits for something that must happen. It is so long that only a hang exceeds it, even on a
 * busy machine. It is also the default timeout of `expect.poll`.
 */
export const PATIENCE_MS = 120_000
