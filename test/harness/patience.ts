/**
 * Time that a test waits for something that must happen, ms. Only a hang takes longer, even on a busy machine. It is
 * also the default timeout of `expect.poll`.
 */
export const PATIENCE_MS = 120_000
