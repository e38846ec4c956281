/**
 * Timeout in ms for an event that must happen. Even a busy machine is faster, so only a hang reaches it. It is also the
 * default timeout of `expect.poll`.
 */
export const PATIENCE_MS = 120_000
