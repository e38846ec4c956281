/** Ignores signals to the process group: the parent handles them, answers its requests and then ends its children. */
export function leaveSignalsToParent(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
}
