/** Advice on the cost of a query, which the page bounds itself: it has a range of time and reads so many rows. */
export const lintsOfServers = ['no-limit', 'wide-time-range'] as const
