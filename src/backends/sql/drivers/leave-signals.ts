/** A signal to a whole group of processes is for the one that started the others, which answers what is in work first and ends them. */
export function leaveSignalsToParent(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
}
