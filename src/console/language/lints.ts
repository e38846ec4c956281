/** Lints about cost that do not apply in the console: it always sets a time range and a maximum number of rows. */
export const lintsOfServers = ['no-limit', 'wide-time-range'] as const
