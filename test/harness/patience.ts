/**
 * How long a test waits for what is bound to come, milliseconds: as long as no busy machine needs and only a hang lasts. It is
 * what `expect.poll` waits unless told otherwise.
 */
export const PATIENCE_MS = 120_000
